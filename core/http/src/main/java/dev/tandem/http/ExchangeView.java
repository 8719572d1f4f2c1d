package dev.tandem.http;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// An exchange that is another one, but for what a subclass says otherwise: for filters that show
/// handlers another request, or see what they answer. Confined to the same thread.
public abstract class ExchangeView implements Exchange {
    private final Exchange seen;

    protected ExchangeView(Exchange seen) {
        this.seen = seen;
    }

    @Override
    public String id() {
        return seen.id();
    }

    @Override
    public Request request() {
        return seen.request();
    }

    @Override
    public String param(String name) {
        return seen.param(name);
    }

    @Override
    public String route() {
        return seen.route();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return seen.attribute(name);
    }

    @Override
    public Exchange attribute(String name, @Nullable Object value) {
        seen.attribute(name, value);
        return this;
    }

    @Override
    public Exchange status(int status) {
        seen.status(status);
        return this;
    }

    @Override
    public int status() {
        return seen.status();
    }

    @Override
    public Exchange header(String name, String value) {
        seen.header(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        seen.addHeader(name, value);
        return this;
    }

    @Override
    public @Nullable String answerHeader(String name) {
        return seen.answerHeader(name);
    }

    @Override
    public Exchange trailer(String name, String value) {
        seen.trailer(name, value);
        return this;
    }

    @Override
    public boolean isAnswered() {
        return seen.isAnswered();
    }

    @Override
    public void send(Body body) throws IOException {
        seen.send(body);
    }

    @Override
    public OutputStream stream() throws IOException {
        return seen.stream();
    }

    @Override
    public EventStream events() throws IOException {
        return seen.events();
    }

    @Override
    public void forward(String target) throws Exception {
        seen.forward(target);
    }

    @Override
    public void upgrade(String protocol, Tunnel.Talk talk) throws IOException {
        seen.upgrade(protocol, talk);
    }

    @Override
    public boolean isClientGone() {
        return seen.isClientGone();
    }
}
