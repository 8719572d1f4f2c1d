package dev.tandem.acme;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// A client for acme4j whose responses have a bound: acme4j reads them to their end, into the heap.
final class AuthorityClient extends HttpClient {
    /// 256 KiB: a response with more is an [IOException]. A directory, an order or a chain has some
    /// kilobytes.
    static final int RESPONSE_MAX = 256 << 10;

    private final HttpClient client;
    private final RetryWish wish;

    /// @param wish sees each response
    AuthorityClient(HttpClient client, RetryWish wish) {
        this.client = client;
        this.wish = wish;
    }

    /// @param handler acme4j's, which makes an [InputStream] of the body
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpResponse<T> response = client.send(request, AuthorityClient::bounded);
        wish.see(response.statusCode(), response.headers());
        if (isCompressed(response)) {
            throw new IOException("the response is compressed, which was not requested");
        }
        return response;
    }

    /// Has the body read at once: the failure of a stream would not have the reason as its message.
    @SuppressWarnings("unchecked") // an InputStream, see above
    private static <T> BodySubscriber<T> bounded(ResponseInfo response) {
        return BodySubscribers.mapping(
                BodySubscribers.limiting(BodySubscribers.ofByteArray(), RESPONSE_MAX),
                bytes -> (T) new ByteArrayInputStream(bytes));
    }

    /// Returns whether acme4j would decompress the body: that one has no bound.
    private static boolean isCompressed(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Content-Encoding")
                .filter("gzip"::equalsIgnoreCase)
                .isPresent();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler) {
        throw new UnsupportedOperationException(); // acme4j does not
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            BodyHandler<T> handler,
            @Nullable PushPromiseHandler<T> pushPromises) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
