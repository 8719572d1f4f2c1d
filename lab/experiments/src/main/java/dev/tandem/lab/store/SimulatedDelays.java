package dev.tandem.lab.store;

import dev.tandem.database.DataPage;
import dev.tandem.database.Templates;
import dev.tandem.database.View;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Delays without computation on this machine: a database on a separate machine, with more rows
/// than ours, and views as expensive as a paper's. So a machine of two processors can show a shop
/// whose connections are the bottleneck, and not its processors. Immutable.
///
/// @param statement delay of each statement, and of each transaction's end: a round trip
/// @param list additional delay of each statement that reads or sorts much, as the lengthy pages'
///     do
/// @param view delay of a view for each KiB of output
public record SimulatedDelays(Duration statement, Duration list, Duration view) {
    /// TPC-W's lists, and the books related to a book.
    private static final Pattern LIST = Pattern.compile("limit 50$|group by");

    private static final double KIBI = 1_024;

    /// Returns the page, with a connection that has these delays.
    DataPage of(DataPage page) {
        return statement.isZero() && list.isZero()
                ? page
                : (x, c) -> {
                    View view = page.data(x, far(c));
                    pause(statement.toNanos()); // its commit, which is not ours to delay
                    return view;
                };
    }

    /// Returns the templates, with these delays.
    Templates of(Templates templates) {
        return view.isZero()
                ? templates
                : (name, model, out) -> {
                    var text = new StringWriter();
                    templates.render(name, model, text);
                    pause(Math.round(text.getBuffer().length() / KIBI * view.toNanos()));
                    out.append(text.getBuffer());
                };
    }

    private Connection far(Connection near) {
        return proxy(
                Connection.class,
                (method, arguments) -> {
                    Object made = call(near, method, arguments);
                    return made instanceof PreparedStatement statement && arguments != null
                            ? far(statement, String.valueOf(arguments[0]))
                            : made;
                });
    }

    private PreparedStatement far(PreparedStatement near, String sql) {
        long more = LIST.matcher(sql).find() ? list.toNanos() : 0;
        return proxy(
                PreparedStatement.class,
                (method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        pause(statement.toNanos() + more);
                    }
                    return call(near, method, arguments);
                });
    }

    private static void pause(long nanos) {
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
                        SimulatedDelays.class.getClassLoader(),
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
