package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// An exchange that is another one, but for what a subclass says otherwise: for filters that show
/// handlers another request, or see what they answer. Confined to the same thread.
public abstract class ExchangeWrapper implements Exchange {
    private final Exchange wrapped;

    protected ExchangeWrapper(Exchange seen) {
        this.wrapped = seen;
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
    public void upgrade(String protocol, UpgradedConnection.UpgradeHandler talk)
            throws IOException {
        wrapped.upgrade(protocol, talk);
    }

    @Override
    public boolean isClientDisconnected() {
        return wrapped.isClientDisconnected();
    }
}
