package dev.tandem.http;

import java.io.IOException;

/// A file is no longer what its [FileStamp] says. Nothing was sent yet: look at the file again.
public final class FileChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    public FileChangedException(String message) {
        super(message);
    }
}
