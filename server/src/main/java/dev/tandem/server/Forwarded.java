package dev.tandem.server;

import dev.tandem.http.Body;
import dev.tandem.http.EventStream;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.Request;
import dev.tandem.http.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// An exchange that goes on as one for another target; its answer is the first one's. Confined to
/// the thread that runs the handler.
final class Forwarded implements Exchange {
    private final Exchange first;
    private final Site site;
    private final Resolved resolved;
    private final Request request;
    private final int count;

    private Forwarded(Exchange first, Site site, Resolved resolved, Request request, int count) {
        this.first = first;
        this.site = site;
        this.resolved = resolved;
        this.request = request;
        this.count = count;
    }

    /// Runs what answers `target`.
    ///
    /// @param count which forward of the exchange this is, from 1
    static void run(Exchange first, Site site, String target, int count) throws Exception {
        if (count > FORWARDS_MAX) {
            throw new HttpException(500, "forwarded more than " + FORWARDS_MAX + " times");
        }
        String method = first.method().equals("HEAD") ? "HEAD" : "GET";
        byte[] bytes = target.getBytes(StandardCharsets.UTF_8);
        ParsedTarget parsed = Target.parse(method, bytes, 0, bytes.length);
        if (!(parsed instanceof Target to) || to.form() != Target.Form.ORIGIN) {
            throw new HttpException(500, "forwarded to no path");
        }
        Resolved resolved = site.resolve(method, to);
        var request = new ForwardedRequest(first.request(), method, to);
        resolved.handler().handle(new Forwarded(first, site, resolved, request, count));
    }

    @Override
    public void forward(String target) throws Exception {
        if (isAnswered()) {
            throw new IllegalStateException("exchange " + id() + " was answered already");
        }
        run(this, site, target, count + 1);
    }

    @Override
    public Request request() {
        return request;
    }

    @Override
    public String param(String name) {
        return resolved.param(name);
    }

    @Override
    public String route() {
        return resolved.route().pattern();
    }

    @Override
    public String id() {
        return first.id();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return first.attribute(name);
    }

    @Override
    public Exchange attribute(String name, @Nullable Object value) {
        first.attribute(name, value);
        return this;
    }

    @Override
    public Exchange status(int status) {
        first.status(status);
        return this;
    }

    @Override
    public int status() {
        return first.status();
    }

    @Override
    public Exchange header(String name, String value) {
        first.header(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        first.addHeader(name, value);
        return this;
    }

    @Override
    public @Nullable String answerHeader(String name) {
        return first.answerHeader(name);
    }

    @Override
    public Exchange trailer(String name, String value) {
        first.trailer(name, value);
        return this;
    }

    @Override
    public boolean isAnswered() {
        return first.isAnswered();
    }

    @Override
    public void send(Body body) throws IOException {
        first.send(body);
    }

    @Override
    public OutputStream stream() throws IOException {
        return first.stream();
    }

    @Override
    public EventStream events() throws IOException {
        return first.events();
    }
}
