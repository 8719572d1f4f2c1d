package dev.tandem.files;

import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.Request;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// Stands between a handler and a real exchange, for tests that meddle with what is in between.
class Standing implements Exchange {
    private final Exchange x;
    private final String parameter;
    private final String value;

    /// @param parameter the one parameter of the route
    Standing(Exchange x, String parameter, String value) {
        this.x = x;
        this.parameter = parameter;
        this.value = value;
    }

    @Override
    public String param(String name) {
        if (!name.equals(parameter)) {
            throw new IllegalArgumentException("no parameter " + name);
        }
        return value;
    }

    @Override
    public String id() {
        return x.id();
    }

    @Override
    public Request request() {
        return x.request();
    }

    @Override
    public String route() {
        return x.route();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return x.attribute(name);
    }

    @Override
    public Exchange attribute(String name, @Nullable Object attribute) {
        x.attribute(name, attribute);
        return this;
    }

    @Override
    public Exchange status(int status) {
        x.status(status);
        return this;
    }

    @Override
    public int status() {
        return x.status();
    }

    @Override
    public Exchange header(String name, String field) {
        x.header(name, field);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String field) {
        x.addHeader(name, field);
        return this;
    }

    @Override
    public @Nullable String answerHeader(String name) {
        return x.answerHeader(name);
    }

    @Override
    public Exchange trailer(String name, String field) {
        x.trailer(name, field);
        return this;
    }

    @Override
    public boolean isAnswered() {
        return x.isAnswered();
    }

    @Override
    public void send(Body body) throws IOException {
        x.send(body);
    }

    @Override
    public OutputStream stream() throws IOException {
        return x.stream();
    }
}
