package dev.tandem.upstream;

import java.io.IOException;

/// Whoever an upstream was asked for has left: nobody's failure, and nothing is to be answered.
public final class ClientDisconnectedException extends IOException {
    private static final long serialVersionUID = 1;

    ClientDisconnectedException(String message) {
        super(message);
    }
}
