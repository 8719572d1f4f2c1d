package dev.tandem.bookstore;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A user with cookies.
final class Shopper implements AutoCloseable {
    private final URI store;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .cookieHandler(new CookieManager())
                    .build();

    Shopper(URI store) {
        this.store = store;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(store.resolve(path)));
    }

    /// @param fields names and values alternately
    HttpResponse<String> post(String path, String... fields)
            throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(store.resolve(path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form(fields))));
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(
                request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }

    static String form(String... fields) {
        var text = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            text.append(text.isEmpty() ? "" : "&").append(fields[i]).append('=');
            text.append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
