package dev.tandem.engine;

import java.io.IOException;

/// An answer that goes without its content has been sent, and its handler still makes content:
/// nobody will read it.
final class ResponseOverException extends IOException {
    private static final long serialVersionUID = 1;

    ResponseOverException() {
        super("the answer has no content, and is sent");
    }
}
