package dev.tandem.cli;

import dev.tandem.server.Server;
import dev.tandem.tls.TlsConfigException;
import java.time.Duration;

/// Stays until the process is told to end: SIGTERM, SIGINT (Ctrl-C) or SIGHUP (which
/// with TLS has certificates read again). What runs may then
/// finish; a second signal ends the process at once.
final class UntilStopped implements Stay {
    /// How long what runs may take after the signal.
    private static final Duration GRACE = Duration.ofSeconds(10);

    /// How long the command may take to clean up behind the server.
    private static final Duration CLEANUP = Duration.ofSeconds(2);

    @Override
    public void stay(Server server) {
        Thread caller = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, caller), "tandem-stop"));
        Signals.exitOnFirstHaltOnSecond();
        if (!server.tlsEngine().isEmpty()) {
            Signals.onHangUp(() -> reload(server));
        }
        try {
            server.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void reload(Server server) {
        try {
            server.reloadTls();
            System.err.println("tandem: certificates and keys were read again");
        } catch (TlsConfigException e) {
            System.err.println("tandem: all stays as it was: " + e.getMessage());
        }
    }

    /// The process ends when this returns: so it waits until the caller, too, has cleaned up.
    private static void stop(Server server, Thread caller) {
        server.stop(GRACE);
        try {
            caller.join(CLEANUP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
