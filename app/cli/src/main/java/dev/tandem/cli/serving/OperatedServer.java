package dev.tandem.cli.serving;

import dev.tandem.Server;
import java.time.Duration;

/// A server as its operator sees it: signals of the process are mapped to these methods.
public interface OperatedServer {
    Server server();

    /// Whether there is something to read again.
    boolean canReload();

    /// The server listens: informs the supervisor and the process that had the sockets before.
    void announceReady();

    /// Reads configuration and certificates again; reports on standard error.
    void reloadAndReport();

    void reopenLogs();

    /// @param defaultGrace how long requests in progress may take, if the configuration does not
    ///     say
    void stop(Duration defaultGrace);
}
