package dev.tandem.upstream;

import java.io.IOException;

/// The client of an upstream request has disconnected: no upstream failed, and no response is
/// needed.
public final class ClientDisconnectedException extends IOException {
    private static final long serialVersionUID = 1;

    ClientDisconnectedException(String message) {
        super(message);
    }
}
