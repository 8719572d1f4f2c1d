package dev.tandem.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/// A minimal pool: it hands out returned connections as they are, unless they are closed. Over a
/// real H2 of its own.
final class PlainPool {
    private static final AtomicInteger NAMES = new AtomicInteger();

    /// Methods of JDBC 4 and later.
    private static final Set<String> NEWER = Set.of("unwrap", "isValid", "abort");

    private final JdbcDataSource h2 = new JdbcDataSource();
    final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    /// Number of connections requested.
    final AtomicInteger requestCount = new AtomicInteger();

    /// Thrown by the next request in place of a connection.
    final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /// Whether its driver is so old that it lacks methods.
    volatile boolean isOld;

    /// Run before a connection is returned.
    volatile Runnable atReturn = () -> {};

    PlainPool() {
        h2.setURL("jdbc:h2:mem:plain" + NAMES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    }

    DataSource source() {
        return proxy(DataSource.class, this::invoke);
    }

    private Object invoke(Object self, Method method, Object @Nullable [] arguments)
            throws Exception {
        switch (method.getName()) {
            case "getConnection" -> {
                requestCount.incrementAndGet();
                Exception failed = failure.getAndSet(null);
                if (failed != null) {
                    throw failed;
                }
                return borrow();
            }
            case "isWrapperFor" -> {
                return false;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        }
    }

    Connection borrow() throws SQLException {
        Connection pooled = idle.poll();
        Connection under = pooled == null || pooled.isClosed() ? h2.getConnection() : pooled;
        var isBack = new AtomicBoolean();
        return proxy(
                Connection.class,
                (_, method, arguments) -> {
                    if (isOld && NEWER.contains(method.getName())) {
                        throw new AbstractMethodError(method.getName());
                    }
                    switch (method.getName()) {
                        case "close" -> {
                            if (isBack.compareAndSet(false, true)) {
                                atReturn.run();
                                idle.push(under);
                            }
                            return null;
                        }
                        case "isClosed" -> {
                            return isBack.get() || under.isClosed();
                        }
                        case "unwrap" -> {
                            return under;
                        }
                        default -> {
                            return call(under, method, arguments);
                        }
                    }
                });
    }

    private static @Nullable Object call(Object on, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(
                        PlainPool.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
