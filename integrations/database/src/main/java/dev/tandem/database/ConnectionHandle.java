package dev.tandem.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connection that an application sees. The underlying connection may be returned to the pool
/// before the application is done with it: then the handle is closed, or it borrows another
/// connection when it is used again, and restores the settings of the one before.
///
/// ```
///   BORROWED --close, abort--> CLOSED <--close-- REACQUIRABLE
///     |--endDataStage(REJECT)--> CLOSED             |
///     +--endDataStage(REACQUIRE)--> REACQUIRABLE ---+--used--> BORROWED
/// ```
///
/// Confined to the thread that has it.
final class ConnectionHandle implements InvocationHandler {
    /// Settings of a connection that outlast a transaction.
    private static final Set<String> SETTINGS =
            Set.of(
                    "setAutoCommit",
                    "setCatalog",
                    "setHoldability",
                    "setNetworkTimeout",
                    "setReadOnly",
                    "setSchema",
                    "setTransactionIsolation",
                    "setTypeMap");

    private final Source source;
    private final Connection proxy;

    /// Calls that changed settings, each the last of its kind, in the order of the first ones.
    private @Nullable Map<Method, Object[]> settings;

    private @Nullable BorrowedConnection borrowed;
    private boolean wasRevoked;
    private boolean wasBroken;
    private boolean isReacquirable;

    /// Whether statements belong to a transaction until it is committed.
    private boolean isManualCommit;

    /// A source of borrowed connections.
    @FunctionalInterface
    interface Source {
        BorrowedConnection borrow() throws SQLException;
    }

    ConnectionHandle(Source source) throws SQLException {
        this.source = source;
        this.borrowed = source.borrow();
        this.proxy =
                (Connection)
                        Proxy.newProxyInstance(
                                ConnectionHandle.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                this);
    }

    Connection proxy() {
        return proxy;
    }

    /// Returns whether it holds a connection.
    boolean isHeld() {
        return borrowed != null;
    }

    /// Returns whether it will never hold a connection again.
    boolean isClosed() {
        return borrowed == null && !isReacquirable;
    }

    /// Returns whether a connection that it held was revoked.
    boolean wasRevoked() {
        return wasRevoked || borrowed != null && borrowed.isRevoked();
    }

    /// Returns whether a connection that it held turned out to be broken.
    boolean wasBroken() {
        return wasBroken || borrowed != null && borrowed.isBroken();
    }

    /// Ends the data stage: see [Stage#endData(Stage.LateUse)].
    void endDataStage(Stage.LateUse lateUse) throws SQLException {
        switch (lateUse) {
            case REJECT -> close();
            case REACQUIRE -> {
                BorrowedConnection current = borrowed;
                if (current != null && (current.isRevoked() || current.isOutsideTransaction())) {
                    // A transaction is not continued on another connection.
                    isReacquirable =
                            !current.isRevoked() && !(current.isBroken() && isManualCommit);
                    release(current);
                }
            }
        }
    }

    void close() throws SQLException {
        isReacquirable = false;
        BorrowedConnection current = borrowed;
        if (current != null) {
            release(current);
        }
    }

    /// Another thread may still be using it, so it cannot be used again.
    private void abort() {
        isReacquirable = false;
        BorrowedConnection current = borrowed;
        borrowed = null;
        if (current != null) {
            current.revoke();
            current.discard();
        }
    }

    private void release(BorrowedConnection current) throws SQLException {
        borrowed = null;
        try {
            current.close();
        } finally {
            wasRevoked |= current.isRevoked();
            wasBroken |= current.isBroken();
        }
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "close" -> {
                close();
                return null;
            }
            case "abort" -> {
                abort();
                return null;
            }
            case "isClosed" -> {
                BorrowedConnection current = borrowed;
                return current == null ? !isReacquirable : current.connection().isClosed();
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "equals" -> {
                return arguments != null && self == arguments[0];
            }
            case "toString" -> {
                return "borrowed " + (borrowed == null ? "no more" : borrowed.connection());
            }
            default -> {
                return delegate(current(), method, arguments);
            }
        }
    }

    private BorrowedConnection current() throws Throwable {
        BorrowedConnection current = borrowed;
        if (current == null && isReacquirable) {
            current = reacquire();
        }
        if (current == null ? wasRevoked : current.isRevoked()) {
            throw new SQLException(
                    "the connection was held for too long and has been revoked", "57014");
        }
        if (current == null) {
            throw new SQLException(
                    "the connection was returned: what a template needs must be in its model",
                    DatabaseFailures.CONNECTION_CLOSED);
        }
        return current;
    }

    private BorrowedConnection reacquire() throws Throwable {
        BorrowedConnection reacquired = source.borrow();
        boolean isRestored = false;
        try {
            if (settings != null) {
                for (Map.Entry<Method, Object[]> each : settings.entrySet()) {
                    call(reacquired, each.getKey(), each.getValue());
                }
            }
            isRestored = true;
        } finally {
            if (!isRestored) {
                Sql.runIgnoringFailure(reacquired::close);
            }
        }
        borrowed = reacquired;
        isReacquirable = false;
        Stage.onReacquired();
        return reacquired;
    }

    private @Nullable Object delegate(
            BorrowedConnection borrowed, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Object result = call(borrowed, method, arguments);
        if (result instanceof Statement statement) {
            borrowed.track(statement);
        } else if (arguments != null && SETTINGS.contains(method.getName())) {
            settings = settings == null ? new LinkedHashMap<>() : settings;
            settings.put(method, arguments.clone());
            if (method.getName().equals("setAutoCommit")) {
                isManualCommit = Boolean.FALSE.equals(arguments[0]);
            }
        }
        return result;
    }

    private static @Nullable Object call(
            BorrowedConnection borrowed, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(borrowed.connection(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
