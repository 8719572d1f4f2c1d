package dev.tandem.lab.store;

import dev.tandem.staged.DataPage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Puts a database further away: each statement takes so much longer, in which nobody computes, as
/// if it went over a network. Immutable.
///
/// @param nanos a round trip; 0 for none
public record Distance(long nanos) {

    /// The page, with such a connection.
    DataPage of(DataPage page) {
        return nanos == 0 ? page : (x, c) -> page.data(x, far(c));
    }

    private Connection far(Connection near) {
        return proxy(
                Connection.class,
                (method, arguments) -> {
                    Object made = call(near, method, arguments);
                    return made instanceof PreparedStatement statement ? far(statement) : made;
                });
    }

    private PreparedStatement far(PreparedStatement near) {
        return proxy(
                PreparedStatement.class,
                (method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        travel();
                    }
                    return call(near, method, arguments);
                });
    }

    private void travel() {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    private interface Calls {
        @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(
                Proxy.newProxyInstance(
                        Distance.class.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> calls.call(method, arguments)));
    }

    private static @Nullable Object call(Object on, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
