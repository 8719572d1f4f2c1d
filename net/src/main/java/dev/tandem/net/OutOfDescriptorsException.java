package dev.tandem.net;

import java.io.IOException;

/// The process or the system has no file descriptor left: the connection stays in the backlog.
public final class OutOfDescriptorsException extends IOException {
    private static final long serialVersionUID = 1L;

    public OutOfDescriptorsException(String message) {
        super(message);
    }
}
