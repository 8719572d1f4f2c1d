package dev.tandem.acme;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks the site whether a name may have a certificate.
final class Permission {
    /// How long a reply may take: it comes from the same site, mostly from this machine.
    private static final Duration REPLY_MAX = Duration.ofSeconds(5);

    private static final int ALLOWED = 200;

    private final URI endpoint;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(REPLY_MAX).build();

    Permission(URI endpoint) {
        this.endpoint = endpoint;
    }

    /// @throws IOException if there is no reply
    boolean allows(String name) throws IOException, InterruptedException {
        String separator = endpoint.getRawQuery() == null ? "?" : "&";
        URI question =
                URI.create(
                        endpoint
                                + separator
                                + "domain="
                                + URLEncoder.encode(name, StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(question).timeout(REPLY_MAX).build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == ALLOWED;
    }
}
