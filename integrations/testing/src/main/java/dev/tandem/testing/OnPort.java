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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// Sends requests to a server at a free port.
final class OnPort implements Transport {
    /// A handler that does not respond fails the test, and does not hang it: 30 s.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Server server;
    private final Duration patience;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    OnPort(Server server) {
        this(server, PATIENCE);
    }

    OnPort(Server server, Duration patience) {
        this.server = server;
        this.patience = patience;
    }

    @Override
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public Exchanged exchange(Outgoing request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = send(built(request));
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

    /// The client's own limit ends with the head.
    private HttpResponse<byte[]> send(HttpRequest request)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> coming =
                client.sendAsync(request, BodyHandlers.ofByteArray());
        try {
            return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no whole response within " + patience, e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException(String.valueOf(e.getCause()), e);
        } finally {
            coming.cancel(true);
        }
    }

    @Override
    public Stream<String> lines(Outgoing request) throws IOException, InterruptedException {
        return client.send(built(request), BodyHandlers.ofLines()).body();
    }

    private HttpRequest built(Outgoing request) {
        BodyPublisher body = BodyPublishers.ofByteArray(request.body());
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(address() + request.target()))
                        .timeout(patience)
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
