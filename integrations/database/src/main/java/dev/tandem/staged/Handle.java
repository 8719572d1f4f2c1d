package dev.tandem.staged;

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

/// What somebody has in a connection's place. The connection under it may go back before they are
/// done: then it either is of no use any more, or takes another when it is used again, with what
/// was set of the one before.
///
/// ```
///   LENT --close, abort--> CLOSED <--close-- AWAY
///     |--giveBack(REFUSED)--> CLOSED           |
///     +--giveBack(TAKEN_ANEW)--> AWAY ---------+--used--> LENT
/// ```
///
/// Confined to the thread that has it.
final class Handle implements InvocationHandler {
    /// What is set of a connection and lasts beyond a transaction.
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

    private final Lender lender;
    private final Connection proxy;

    /// Calls that set something, each the last of its kind, in the order of the first ones.
    private @Nullable Map<Method, Object[]> settings;

    private @Nullable Lent lent;
    private boolean wasCut;
    private boolean wasBroken;
    private boolean isAway;

    /// Whether what is done on it is part of a transaction until that is committed.
    private boolean isManual;

    /// Lends connections.
    @FunctionalInterface
    interface Lender {
        Lent lend() throws SQLException;
    }

    Handle(Lender lender) throws SQLException {
        this.lender = lender;
        this.lent = lender.lend();
        this.proxy =
                (Connection)
                        Proxy.newProxyInstance(
                                Handle.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                this);
    }

    Connection proxy() {
        return proxy;
    }

    /// Whether it keeps a connection from others.
    boolean isHeld() {
        return lent != null;
    }

    /// Whether it will never have one again.
    boolean isOver() {
        return lent == null && !isAway;
    }

    /// Whether a connection that it had was held for too long.
    boolean wasCut() {
        return wasCut || lent != null && lent.isCut();
    }

    /// Whether a connection that it had turned out to be broken.
    boolean wasBroken() {
        return wasBroken || lent != null && lent.isBroken();
    }

    /// The data stage ends: see [Stage#endData(Stage.Later)].
    void giveBack(Stage.Later later) throws SQLException {
        switch (later) {
            case REFUSED -> close();
            case TAKEN_ANEW -> {
                Lent current = lent;
                if (current != null && (current.isCut() || current.isInNone())) {
                    // Half a transaction is not gone on with by another connection.
                    isAway = !current.isCut() && !(current.isBroken() && isManual);
                    release(current);
                }
            }
        }
    }

    void close() throws SQLException {
        isAway = false;
        Lent current = lent;
        if (current != null) {
            release(current);
        }
    }

    /// Something may run on it still, in another thread: it is of use to nobody else.
    private void abort() {
        isAway = false;
        Lent current = lent;
        lent = null;
        if (current != null) {
            current.cut();
            current.end();
        }
    }

    private void release(Lent current) throws SQLException {
        lent = null;
        try {
            current.close();
        } finally {
            wasCut |= current.isCut();
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
                Lent current = lent;
                return current == null ? !isAway : current.connection().isClosed();
            }
            case "hashCode" -> {
                return System.identityHashCode(self);
            }
            case "equals" -> {
                return arguments != null && self == arguments[0];
            }
            case "toString" -> {
                return "lent " + (lent == null ? "no more" : lent.connection());
            }
            default -> {
                return delegate(current(), method, arguments);
            }
        }
    }

    private Lent current() throws Throwable {
        Lent current = lent;
        if (current == null && isAway) {
            current = takeAnew();
        }
        if (current == null ? wasCut : current.isCut()) {
            throw new SQLException("the connection was held for too long and is cut", "57014");
        }
        if (current == null) {
            throw new SQLException(
                    "the connection was given back: what a template needs must be in its model",
                    DatabaseFailures.USED_AFTER_ITS_END);
        }
        return current;
    }

    private Lent takeAnew() throws Throwable {
        Lent anew = lender.lend();
        boolean isAsBefore = false;
        try {
            if (settings != null) {
                for (Map.Entry<Method, Object[]> each : settings.entrySet()) {
                    call(anew, each.getKey(), each.getValue());
                }
            }
            isAsBefore = true;
        } finally {
            if (!isAsBefore) {
                Quietly.run(anew::close);
            }
        }
        lent = anew;
        isAway = false;
        Stage.tookAgain();
        return anew;
    }

    private @Nullable Object delegate(Lent lent, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Object result = call(lent, method, arguments);
        if (result instanceof Statement statement) {
            lent.remember(statement);
        } else if (arguments != null && SETTINGS.contains(method.getName())) {
            settings = settings == null ? new LinkedHashMap<>() : settings;
            settings.put(method, arguments.clone());
            if (method.getName().equals("setAutoCommit")) {
                isManual = Boolean.FALSE.equals(arguments[0]);
            }
        }
        return result;
    }

    private static @Nullable Object call(Lent lent, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(lent.connection(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
