package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.tls.TlsConfigException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Runs a server until the process receives a signal: SIGTERM, SIGINT (Ctrl-C) or, if there is
/// nothing to reload, SIGHUP. Running requests may then finish; a second signal ends the process at
/// once.
final class ProcessLifecycle implements ServerLifecycle {
    /// Time limit for running requests after the signal.
    private static final Duration GRACE = Duration.ofSeconds(10);

    /// Time limit for the command to clean up after the server, as for applications to end.
    private static final Duration CLEANUP = Duration.ofSeconds(15);

    private final Duration cleanup;
    private final CountDownLatch commandEnd = new CountDownLatch(1);

    ProcessLifecycle() {
        this(CLEANUP);
    }

    ProcessLifecycle(Duration cleanup) {
        this.cleanup = cleanup;
    }

    /// The command has ended, and cleaned up: nothing waits for it.
    void commandEnded() {
        commandEnd.countDown();
    }

    @Override
    public void awaitStop(Server server, Runnable announce) {
        if (!server.tlsEngine().isEmpty()) {
            Signals.onHangUp(() -> System.err.println("tandem: " + reload(server)));
        }
        Signals.onUser1(() -> {}); // it has no log to reopen; by default the process would end
        stopOnSignal(server::stop);
        announce.run();
        openJars();
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
        openJars();
        await(operations.server());
    }

    private static void openJars() {
        ClassPathJars.openInService(System.getenv(), ProcessLifecycle.class.getClassLoader());
    }

    /// @param stop called by the thread that ends the process
    private void stopOnSignal(Consumer<Duration> stop) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop), "tandem-stop"));
        Signals.exitOnFirstHaltOnSecond();
    }

    /// The process ends when the shutdown hook returns: so the hook waits until the command, whose
    /// server has stopped, has cleaned up.
    void end(Consumer<Duration> stop) {
        stop.accept(GRACE);
        try {
            commandEnd.await(cleanup.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(Server server) {
        try {
            server.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
