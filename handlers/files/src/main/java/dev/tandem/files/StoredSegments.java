package dev.tandem.files;

import dev.tandem.http.Body;
import java.io.IOException;

/// A whole file as a cache stores it.
record StoredSegments(FileCache.Stored file) implements Body.Segments {
    @Override
    public int transferTo(long at, Body.Sink to) throws IOException {
        return file.transferTo(at, to);
    }

    @Override
    public void close() {
        file.close();
    }
}
