package dev.tandem.net;

import java.io.IOException;

/// Signals that the peer did not send or accept data in time.
public final class TimeoutIOException extends IOException {
    private static final long serialVersionUID = 1L;

    public TimeoutIOException(String message) {
        super(message);
    }
}
