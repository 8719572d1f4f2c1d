package dev.tandem.cache;

import java.io.IOException;
import java.nio.file.Path;

/// A file is no longer in the state that it was opened in. Nothing of another state was passed
/// on.
public final class StaleFileException extends IOException {
    private static final long serialVersionUID = 1L;

    StaleFileException(Path path) {
        super(path + " changed while it was read");
    }
}
