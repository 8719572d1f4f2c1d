package dev.tandem.http;

import java.io.IOException;

/// What a client sent cannot be stored: the disk is full, or fails. The server responds with 507
/// and logs one line.
public final class StorageException extends IOException {
    private static final long serialVersionUID = 1L;

    public StorageException(IOException cause) {
        super("what the client sent cannot be stored: " + cause.getMessage(), cause);
    }
}
