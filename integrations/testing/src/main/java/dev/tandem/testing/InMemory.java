package dev.tandem.testing;

import dev.tandem.MemoryServer;
import dev.tandem.http.Headers;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Calls the handler on the thread of the test.
record InMemory(MemoryServer server) implements Transport {

    @Override
    public URI address() {
        throw new IllegalStateException("a server in memory has no address: use onPort");
    }

    @Override
    public Exchanged exchange(Outgoing request) throws IOException {
        List<String> headers = new ArrayList<>(request.headers());
        if (!Headers.of(headers.toArray(String[]::new)).contains("Host")) {
            headers.addAll(0, List.of("Host", "localhost"));
        }
        if (request.body().length > 0) {
            headers.addAll(List.of("Content-Length", Integer.toString(request.body().length)));
        }
        MemoryServer.Response response =
                server.handle(
                        request.method(),
                        request.target(),
                        Headers.of(headers.toArray(String[]::new)),
                        request.body());
        return new Exchanged(response.status(), response.headers(), response.body());
    }

    @Override
    public Stream<String> lines(Outgoing request) {
        throw new UnsupportedOperationException(
                "a server in memory has no lines before the response is complete: use onPort");
    }

    @Override
    public void close() {
        // There is nothing to stop.
    }
}
