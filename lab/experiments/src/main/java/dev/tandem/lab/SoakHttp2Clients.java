package dev.tandem.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Clients of a soak that use HTTP/2 over TLS, by the JDK's client. Safe for use by any thread.
///
/// @param contents what is served there
record SoakHttp2Clients(SoakPlace place, SoakContents contents) {
    private static final int STREAMS = 20;
    private static final int UPLOADS = 4;
    private static final int UPLOAD_MAX = 256 * 1_024;
    private static final int RESETS = 8;
    private static final int RESET_MILLIS_MAX = 10;
    private static final Duration TIME_MAX = Duration.ofSeconds(20);

    /// Each kind by its name.
    Map<String, SoakClient> kinds() {
        var kinds = new LinkedHashMap<String, SoakClient>();
        kinds.put("HTTP/2, streams", this::streams);
        kinds.put("HTTP/2, uploads", this::uploads);
        kinds.put("HTTP/2, resets", this::resets);
        return kinds;
    }

    /// A response that is awaited.
    private record Awaited(String path, CompletableFuture<HttpResponse<byte[]>> response) {}

    private void streams(Random random) throws IOException, InterruptedException {
        HttpClient client = client();
        try {
            expect(get(client, "/hello")); // else each request opens a connection
            var all = new ArrayList<Awaited>();
            for (int i = 0; i < STREAMS; i++) {
                all.add(get(client, contents.anyPath(random)));
            }
            for (Awaited one : all) {
                expect(one);
            }
        } finally {
            client.shutdownNow();
        }
    }

    private void uploads(Random random) throws IOException, InterruptedException {
        HttpClient client = client();
        try {
            expect(get(client, "/hello"));
            var bodies = new ArrayList<byte[]>();
            var responses = new ArrayList<CompletableFuture<HttpResponse<byte[]>>>();
            for (int i = 0; i < UPLOADS; i++) {
                var body = new byte[random.nextInt(UPLOAD_MAX)];
                random.nextBytes(body);
                bodies.add(body);
                HttpRequest request =
                        request("/echo").POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
                responses.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()));
            }
            for (int i = 0; i < UPLOADS; i++) {
                HttpResponse<byte[]> response = await(responses.get(i));
                SoakClient.expect(
                        response.statusCode() == 200, "/echo gets status " + response.statusCode());
                SoakClient.expect(
                        Arrays.equals(response.body(), bodies.get(i)),
                        "/echo has other bytes: " + response.body().length);
            }
        } finally {
            client.shutdownNow();
        }
    }

    /// The connection survives the resets of its streams.
    private void resets(Random random) throws IOException, InterruptedException {
        HttpClient client = client();
        try {
            expect(get(client, "/hello"));
            var all = new ArrayList<Awaited>();
            for (int i = 0; i < RESETS; i++) {
                all.add(get(client, SoakContents.LARGE));
            }
            for (Awaited one : all) {
                Thread.sleep(random.nextInt(RESET_MILLIS_MAX));
                one.response.cancel(true);
            }
            expect(get(client, "/hello"));
        } finally {
            client.shutdownNow();
        }
    }

    private HttpClient client() throws IOException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(place.newTrust().context())
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + place.tls() + path))
                .timeout(TIME_MAX);
    }

    private Awaited get(HttpClient client, String path) {
        return new Awaited(
                path,
                client.sendAsync(request(path).build(), HttpResponse.BodyHandlers.ofByteArray()));
    }

    private void expect(Awaited one) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = await(one.response);
        SoakClient.expect(
                response.version() == HttpClient.Version.HTTP_2,
                one.path + " comes by " + response.version());
        contents.expect(one.path, response.statusCode(), response.body());
    }

    /// @throws IOException if it fails, or takes too long
    static <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get(TIME_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("nothing within " + TIME_MAX.toSeconds() + " s", e);
        }
    }
}
