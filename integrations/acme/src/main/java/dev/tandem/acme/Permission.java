package dev.tandem.acme;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Asks the site whether a name may have a certificate.
final class Permission {
    /// How long a reply may take: it comes from the same site, mostly from this machine.
    private static final Duration REPLY_MAX = Duration.ofSeconds(5);

    private static final int ALLOWED = 200;

    /// From here on a status says that the site has failed, not what it permits.
    private static final int FAILED = 500;

    private final URI endpoint;
    private final Duration replyMax;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(REPLY_MAX).build();

    Permission(URI endpoint) {
        this(endpoint, REPLY_MAX);
    }

    Permission(URI endpoint, Duration replyMax) {
        this.endpoint = endpoint;
        this.replyMax = replyMax;
    }

    /// @throws IOException if there is no reply, or none that says what is permitted
    boolean allows(String name) throws IOException, InterruptedException {
        String separator = endpoint.getRawQuery() == null ? "?" : "&";
        URI question =
                URI.create(
                        endpoint
                                + separator
                                + "domain="
                                + URLEncoder.encode(name, StandardCharsets.UTF_8));
        int status = status(HttpRequest.newBuilder(question).build());
        if (status >= FAILED) {
            throw new IOException("status " + status);
        }
        return status == ALLOWED;
    }

    /// The limit is for the whole reply. That of a request of the JDK's client ends with the head,
    /// and its thread would wait for a body without end.
    private int status(HttpRequest question) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> reply =
                client.sendAsync(question, HttpResponse.BodyHandlers.discarding());
        try {
            return reply.get(replyMax.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (TimeoutException e) {
            throw new IOException("no whole reply within " + replyMax, e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            reply.cancel(true);
        }
    }
}
