package dev.tandem.engine;

import java.io.IOException;

/// A response that has no content was sent, and its handler still produces content, which nothing
/// reads.
final class ResponseOverException extends IOException {
    private static final long serialVersionUID = 1;

    ResponseOverException() {
        super("the response has no content, and is sent");
    }
}
