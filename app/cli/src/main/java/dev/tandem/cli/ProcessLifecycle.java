package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.tls.TlsConfigException;
import java.time.Duration;
import java.util.function.Consumer;

/// Runs a server until the process receives a signal: SIGTERM, SIGINT (Ctrl-C) or, if there is
/// nothing to reload, SIGHUP. Running requests may then finish; a second signal ends the process at
/// once.
final class ProcessLifecycle implements ServerLifecycle {
    /// Time limit for running requests after the signal.
    private static final Duration GRACE = Duration.ofSeconds(10);

    /// Time limit for the command to clean up after the server.
    private static final Duration CLEANUP = Duration.ofSeconds(2);

    @Override
    public void awaitStop(Server server, Runnable announce) {
        if (!server.tlsEngine().isEmpty()) {
            Signals.onHangUp(() -> System.err.println("tandem: " + reload(server)));
        }
        stopOnSignal(server::stop);
        announce.run();
        await(server);
    }

    /// Reloads certificates and keys.
    ///
    /// @return the result, as a phrase
    static String reload(Server server) {
        try {
            server.reloadTls();
            return "certificates and keys were reloaded";
        } catch (TlsConfigException e) {
            return "nothing has changed: " + e.getMessage();
        }
    }

    @Override
    public void awaitStop(OperatedServer operations, Runnable announce) {
        if (operations.canReload()) {
            Signals.onHangUp(operations::reloadAndReport);
        }
        Signals.onUser1(operations::reopenLogs);
        stopOnSignal(operations::stop);
        announce.run();
        await(operations.server());
    }

    /// @param stop called by the thread that ends the process; the current thread then cleans up
    private static void stopOnSignal(Consumer<Duration> stop) {
        Thread caller = Thread.currentThread();
        Runnable end =
                () -> {
                    stop.accept(GRACE);
                    awaitCleanup(caller);
                };
        Runtime.getRuntime().addShutdownHook(new Thread(end, "tandem-stop"));
        Signals.exitOnFirstHaltOnSecond();
    }

    private static void await(Server server) {
        try {
            server.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The process ends when the shutdown hook returns: so the hook waits until the caller has
    /// cleaned up.
    private static void awaitCleanup(Thread caller) {
        try {
            caller.join(CLEANUP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
