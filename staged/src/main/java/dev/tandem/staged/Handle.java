package dev.tandem.staged;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// What somebody has in a connection's place. The connection under it may go back before they are
/// done: then it either is of no use any more, or takes another when it is used again.
///
/// ```
///   LENT --close--> CLOSED <--close-- AWAY
///     |--giveBack(REFUSED)--> CLOSED    |
///     +--giveBack(TAKEN_ANEW)--> AWAY --+--used--> LENT
/// ```
///
/// Confined to the thread that has it.
final class Handle implements InvocationHandler {
    private final Lender lender;
    private final Connection proxy;
    private @Nullable Lent lent;
    private boolean wasCut;
    private boolean isAway;

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

    /// Whether a connection that it had was held for too long.
    boolean wasCut() {
        return wasCut || lent != null && lent.isCut();
    }

    /// The data stage ends: see [Stage#endData(Stage.Later)].
    void giveBack(Stage.Later later) throws SQLException {
        switch (later) {
            case REFUSED -> close();
            case TAKEN_ANEW -> {
                Lent current = lent;
                if (current != null && (wasCut() || current.connection().getAutoCommit())) {
                    release(current);
                    isAway = true;
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

    private void release(Lent current) throws SQLException {
        wasCut |= current.isCut();
        lent = null;
        current.close();
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "close", "abort" -> {
                close();
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

    private Lent current() throws SQLException {
        Lent current = lent;
        if (current == null && isAway) {
            current = lender.lend();
            lent = current;
            isAway = false;
            Stage.tookAgain();
        }
        if (current == null) {
            throw new SQLException(
                    "the connection was given back: what a template needs must be in its model",
                    "08003");
        }
        if (current.isCut()) {
            throw new SQLException("the connection was held for too long and is cut", "57014");
        }
        return current;
    }

    private static @Nullable Object delegate(
            Lent lent, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            Object result = method.invoke(lent.connection(), arguments);
            if (result instanceof Statement statement) {
                lent.remember(statement);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
