package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.tls.TlsConfigException;
import java.time.Duration;
import java.util.function.Consumer;

/// Stays until the process is told to end: SIGTERM, SIGINT (Ctrl-C) or, where there is nothing to
/// read again, SIGHUP. What runs may then finish; a second signal ends the process at once.
final class ProcessLifecycle implements ServerLifecycle {
    /// How long what runs may take after the signal.
    private static final Duration GRACE = Duration.ofSeconds(10);

    /// How long the command may take to clean up behind the server.
    private static final Duration CLEANUP = Duration.ofSeconds(2);

    @Override
    public void awaitStop(Server server) {
        if (!server.tlsEngine().isEmpty()) {
            Signals.onHangUp(() -> System.err.println("tandem: " + reload(server)));
        }
        awaitShutdown(server, server::stop);
    }

    /// Reads certificates and keys again.
    ///
    /// @return what came of it, as a phrase
    static String reload(Server server) {
        try {
            server.reloadTls();
            return "certificates and keys were read again";
        } catch (TlsConfigException e) {
            return "all stays as it was: " + e.getMessage();
        }
    }

    @Override
    public void awaitStop(OperatedServer operations) {
        if (operations.canReload()) {
            Signals.onHangUp(operations::reloadAndReport);
        }
        Signals.onUser1(operations::reopenLogs);
        operations.announceReady();
        awaitShutdown(operations.server(), operations::stop);
    }

    private static void awaitShutdown(Server server, Consumer<Duration> stop) {
        Thread caller = Thread.currentThread();
        Runnable end =
                () -> {
                    stop.accept(GRACE);
                    awaitCleanup(caller);
                };
        Runtime.getRuntime().addShutdownHook(new Thread(end, "tandem-stop"));
        Signals.exitOnFirstHaltOnSecond();
        try {
            server.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The process ends when the hook returns: so it waits until the caller, too, has cleaned up.
    private static void awaitCleanup(Thread caller) {
        try {
            caller.join(CLEANUP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
