package dev.tandem.engine;

import java.io.IOException;

/// The client has disconnected, or does not read or send any more: an expected end, which is not
/// logged.
public final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    public ClientGoneException(IOException cause) {
        super("the client is gone: " + cause.getMessage(), cause);
    }

    public ClientGoneException(String message) {
        super(message);
    }
}
