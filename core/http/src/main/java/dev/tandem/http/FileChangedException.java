package dev.tandem.http;

import java.io.IOException;

/// Signals that a file no longer matches its [FileStamp]. Nothing has been sent yet; the caller can
/// read the file's attributes again.
public final class FileChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    public FileChangedException(String message) {
        super(message);
    }
}
