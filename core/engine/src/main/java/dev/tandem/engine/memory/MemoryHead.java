package dev.tandem.engine.memory;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.util.List;

/// The head of a request that no decoder has read.
record MemoryHead(String method, RequestTarget target, Headers headers) implements RequestHead {

    @Override
    public boolean has(KnownHeader header) {
        return headers.contains(header.headerName());
    }

    @Override
    public boolean isExactly(KnownHeader header, String value) {
        return headers.all(header.headerName()).equals(List.of(value));
    }

    @Override
    public String value(KnownHeader header) {
        return value(header.headerName());
    }

    @Override
    public String value(String name) {
        String value = headers.first(name);
        return value == null ? "" : value;
    }

    @Override
    public int minorVersion() {
        return 1;
    }
}
