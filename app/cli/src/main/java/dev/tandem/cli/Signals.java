package dev.tandem.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Handles SIGINT and SIGTERM: the first one exits in order (status 0, after the shutdown hooks),
/// the second one at once. The JVM alone would ignore the second one while its hooks run.
final class Signals {
    /// As in shells: 128 plus the number of SIGINT.
    private static final int HALTED = 130;

    private Signals() {}

    /// Uses reflection, as an exception: `sun.misc.Signal` is the only access to signals, is
    /// exported by `jdk.unsupported` for such uses, and javac warns of each mention in a way that
    /// cannot be suppressed. Where it is not available (`-Xrs`, another JVM), signals have their
    /// default effect.
    static void exitOnFirstHaltOnSecond() {
        var isFirst = new AtomicBoolean(true);
        handle(List.of("INT", "TERM"), () -> exitOrHalt(isFirst));
    }

    /// Runs an action on each SIGHUP, on a thread of the JVM.
    static void onHangUp(Runnable action) {
        handle(List.of("HUP"), action);
    }

    /// Runs an action on each SIGUSR1, on a thread of the JVM.
    static void onUser1(Runnable action) {
        handle(List.of("USR1"), action);
    }

    private static void handle(List<String> names, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler invocation =
                    (proxy, method, arguments) -> onSignal(action, method.getName());
            Object proxy =
                    Proxy.newProxyInstance(
                            Signals.class.getClassLoader(), new Class<?>[] {handler}, invocation);
            var handle = signal.getMethod("handle", signal, handler);
            for (String name : names) {
                handle.invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            }
        } catch (ReflectiveOperationException _) {
            // The shutdown hook still runs on the first signal.
        }
    }

    private static @Nullable Object onSignal(Runnable action, String method) {
        if (!method.equals("handle")) {
            throw new IllegalStateException("not a signal: " + method);
        }
        action.run();
        return null;
    }

    private static void exitOrHalt(AtomicBoolean isFirst) {
        if (isFirst.getAndSet(false)) {
            System.exit(0);
        }
        Runtime.getRuntime().halt(HALTED);
    }
}
