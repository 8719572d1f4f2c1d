package dev.tandem.upstream;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An upstream rejected a connection, closed it early, or timed out. Distinguishes its failures
/// from those of the client.
public sealed class UpstreamException extends IOException
        permits UpstreamTimeoutException, PoolExhaustedException {
    private static final long serialVersionUID = 1L;

    /// @param message for the log
    public UpstreamException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
