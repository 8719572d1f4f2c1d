package dev.tandem.cli.serving;

import dev.tandem.Server;
import java.time.Duration;

/// A server with operations for its operator: signals of the process are mapped to these methods.
public interface OperatedServer {
    Server server();

    /// Returns whether configuration or certificates can be reloaded.
    boolean canReload();

    /// Reloads configuration and certificates; logs the result.
    void reloadAndReport();

    void reopenLogs();

    /// @param defaultGrace how long requests in progress may take, if the configuration does not
    ///     say
    void stop(Duration defaultGrace);
}
