package dev.tandem.net;

import java.io.IOException;

/// The peer sent or took nothing in time.
public final class TimeoutIOException extends IOException {
    private static final long serialVersionUID = 1L;

    public TimeoutIOException(String message) {
        super(message);
    }
}
