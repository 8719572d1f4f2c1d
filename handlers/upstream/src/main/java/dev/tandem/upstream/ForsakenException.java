package dev.tandem.upstream;

import java.io.IOException;

/// Whoever an upstream was asked for has left: nobody's failure, and nothing is to be answered.
public final class ForsakenException extends IOException {
    private static final long serialVersionUID = 1;

    ForsakenException(String message) {
        super(message);
    }
}
