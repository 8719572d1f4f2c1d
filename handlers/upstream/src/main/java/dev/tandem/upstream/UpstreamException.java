package dev.tandem.upstream;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An upstream refused, broke off, or took too long. Tells what went wrong on its side from what
/// went wrong on the client's.
public sealed class UpstreamException extends IOException
        permits UpstreamTimeoutException, PoolExhaustedException {
    private static final long serialVersionUID = 1L;

    /// @param message for the log
    public UpstreamException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
