package dev.tandem.grpc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.Test;

/// One of the suite's cases.
///
/// @param method of [InteropSuite]
record InteropCase(Method method) {
    /// A case that takes longer has failed: 20 s. The longest take two on a busy machine.
    private static final long SECONDS_MAX = 20;

    /// Returns all cases.
    static List<InteropCase> all() {
        return Arrays.stream(InteropSuite.class.getMethods())
                .filter(each -> each.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(InteropCase::new)
                .toList();
    }

    String name() {
        return method.getName();
    }

    /// Runs it.
    ///
    /// @throws Throwable how it has failed, or that it does not apply
    void run(InteropServer server) throws Throwable {
        var suite = new InteropSuite(server);
        var task =
                new FutureTask<Void>(
                        () -> {
                            method.invoke(suite);
                            return null;
                        });
        suite.setUp();
        try {
            Thread.ofPlatform().daemon().name("case " + name()).start(task);
            task.get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof InvocationTargetException thrown
                    ? thrown.getCause()
                    : e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError(name() + " has not ended after " + SECONDS_MAX + " s", e);
        } finally {
            suite.tearDown();
        }
    }
}
