package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// An exchange that delegates to another one; subclasses override methods. For filters that present
/// another request to handlers, or observe their responses. Confined to the thread of the wrapped
/// exchange.
public abstract class ExchangeWrapper implements Exchange {
    private final Exchange wrapped;

    protected ExchangeWrapper(Exchange seen) {
        this.wrapped = seen;
    }

    /// Returns the wrapped exchange.
    public final Exchange wrapped() {
        return wrapped;
    }

    @Override
    public String id() {
        return wrapped.id();
    }

    @Override
    public Request request() {
        return wrapped.request();
    }

    @Override
    public String pathParam(String name) {
        return wrapped.pathParam(name);
    }

    @Override
    public String routePattern() {
        return wrapped.routePattern();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return wrapped.attribute(name);
    }

    @Override
    public Exchange attribute(String name, @Nullable Object value) {
        wrapped.attribute(name, value);
        return this;
    }

    @Override
    public Exchange status(int status) {
        wrapped.status(status);
        return this;
    }

    @Override
    public int status() {
        return wrapped.status();
    }

    @Override
    public Exchange header(String name, String value) {
        wrapped.header(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        wrapped.addHeader(name, value);
        return this;
    }

    @Override
    public @Nullable String responseHeader(String name) {
        return wrapped.responseHeader(name);
    }

    @Override
    public Exchange trailer(String name, String value) {
        wrapped.trailer(name, value);
        return this;
    }

    @Override
    public boolean isCommitted() {
        return wrapped.isCommitted();
    }

    @Override
    public void send(Body body) throws IOException {
        wrapped.send(body);
    }

    @Override
    public OutputStream outputStream() throws IOException {
        return wrapped.outputStream();
    }

    @Override
    public EventStream events() throws IOException {
        return wrapped.events();
    }

    @Override
    public void forward(String target) throws Exception {
        wrapped.forward(target);
    }

    @Override
    public void webSocket(WebSocketHandler handler, WebSocketOptions options) throws IOException {
        wrapped.webSocket(handler, options);
    }

    @Override
    public void upgrade(String protocol, UpgradedConnection.UpgradeHandler handler)
            throws IOException {
        wrapped.upgrade(protocol, handler);
    }

    @Override
    public BodyMapper mapper() {
        return wrapped.mapper();
    }

    @Override
    public boolean isClientDisconnected() {
        return wrapped.isClientDisconnected();
    }
}
