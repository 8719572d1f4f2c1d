package dev.tandem.engine.memory;

import dev.tandem.engine.RequestBody;
import dev.tandem.http.Headers;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/// The body of a request, complete from the start.
final class MemoryBody implements RequestBody {
    private final int length;
    private final ByteArrayInputStream stream;

    MemoryBody(byte[] bytes) {
        this.length = bytes.length;
        this.stream = new ByteArrayInputStream(bytes);
    }

    @Override
    public InputStream stream() {
        return stream;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public Headers trailers() {
        return Headers.EMPTY;
    }

    @Override
    public long received() {
        return length;
    }
}
