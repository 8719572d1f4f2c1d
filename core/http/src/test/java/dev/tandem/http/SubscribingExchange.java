package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An exchange that keeps the body of its response, for tests of channels.
final class SubscribingExchange implements Exchange {
    private final @Nullable String lastEventId;
    private final InetSocketAddress client;
    private final Map<String, String> headers = new HashMap<>();
    private int status = 200;
    private @Nullable Body body;

    /// @param lastEventId of the request; null for none
    SubscribingExchange(@Nullable String lastEventId) {
        this(lastEventId, "127.0.0.1");
    }

    /// @param client its address
    SubscribingExchange(@Nullable String lastEventId, String client) {
        this.lastEventId = lastEventId;
        this.client = new InetSocketAddress(InetAddress.ofLiteral(client), 1);
    }

    /// Returns a request of which only the client's address is known.
    @Override
    public Request request() {
        return (Request)
                Proxy.newProxyInstance(
                        Request.class.getClassLoader(),
                        new Class<?>[] {Request.class},
                        (_, method, _) -> {
                            assertEquals("remoteAddress", method.getName());
                            return client;
                        });
    }

    /// Returns the source of the response's events.
    Body.FeedSource source() {
        return feed().source();
    }

    Body.Feed feed() {
        return assertInstanceOf(Body.Feed.class, body);
    }

    @Override
    public @Nullable String header(String name) {
        return name.equals("Last-Event-ID") ? lastEventId : null;
    }

    @Override
    public void send(Body body) {
        this.body = body;
    }

    @Override
    public Exchange header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        return header(name, value);
    }

    @Override
    public @Nullable String responseHeader(String name) {
        return headers.get(name);
    }

    @Override
    public Exchange status(int status) {
        this.status = status;
        return this;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean isCommitted() {
        return body != null;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public boolean isClientDisconnected() {
        return false;
    }

    // ---- What channels do not use.

    @Override
    public String id() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String pathParam(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String routePattern() {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Object attribute(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange attribute(String name, @Nullable Object value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Exchange trailer(String name, String value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public OutputStream outputStream() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forward(String target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void upgrade(String protocol, UpgradedConnection.UpgradeHandler handler) {
        throw new UnsupportedOperationException();
    }
}
