package dev.tandem.testing;

import dev.tandem.Server;
import dev.tandem.http.Headers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.stream.Stream;

/// Sends requests to a server at a free port.
final class OnPort implements Transport {
    /// A handler that does not respond fails the test, and does not hang it: 30 s.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Server server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    OnPort(Server server) {
        this.server = server;
    }

    @Override
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public Exchanged exchange(Outgoing request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = client.send(built(request), BodyHandlers.ofByteArray());
        var pairs = new ArrayList<String>();
        response.headers()
                .map()
                .forEach(
                        (name, values) ->
                                values.forEach(
                                        value -> {
                                            pairs.add(name);
                                            pairs.add(value);
                                        }));
        return new Exchanged(
                response.statusCode(), Headers.of(pairs.toArray(String[]::new)), response.body());
    }

    @Override
    public Stream<String> lines(Outgoing request) throws IOException, InterruptedException {
        return client.send(built(request), BodyHandlers.ofLines()).body();
    }

    private HttpRequest built(Outgoing request) {
        BodyPublisher body = BodyPublishers.ofByteArray(request.body());
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(address() + request.target()))
                        .timeout(PATIENCE)
                        .method(request.method(), body);
        for (int i = 0; i < request.headers().size(); i += 2) {
            builder.header(request.headers().get(i), request.headers().get(i + 1));
        }
        return builder.build();
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.stop(Duration.ZERO);
        client.close();
    }
}
