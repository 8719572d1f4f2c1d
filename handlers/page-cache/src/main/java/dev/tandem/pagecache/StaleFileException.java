package dev.tandem.pagecache;

import java.io.IOException;
import java.nio.file.Path;

/// A file is no longer in the state in which it was opened. No content of another state was
/// delivered.
public final class StaleFileException extends IOException {
    private static final long serialVersionUID = 1L;

    StaleFileException(Path path) {
        super(path + " changed while it was read");
    }
}
