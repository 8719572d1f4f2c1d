package dev.tandem.files;

import dev.tandem.http.Body;
import java.io.IOException;

/// A range of a file of a cache.
record FileSegments(FileCache.Content file, long offset, long length) implements Body.Segments {
    @Override
    public int transferTo(long at, Body.Sink to) throws IOException {
        return file.transferTo(offset + at, length - at, to);
    }

    @Override
    public boolean fetch(long at, Runnable ready) {
        return file.fetch(offset + at, ready);
    }

    @Override
    public void close() {
        file.close();
    }
}
