package dev.tandem.engine;

import dev.tandem.engine.loop.RoutedExchange;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.Site;
import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.http.HttpException;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;

/// An exchange that continues as one for another target; its response is the first one's. Confined
/// to the thread that runs the handler.
final class Forwarded extends ExchangeWrapper implements RoutedExchange {
    private final Site site;
    private final Resolved resolved;
    private final Request request;
    private final int count;

    private Forwarded(Exchange first, Site site, Resolved resolved, Request request, int count) {
        super(first);
        this.site = site;
        this.resolved = resolved;
        this.request = request;
        this.count = count;
    }

    /// Runs the handler of `target`.
    ///
    /// @param count number of this forward within the exchange, from 1
    static void run(Exchange first, Site site, String target, int count) throws Exception {
        if (count > FORWARDS_MAX) {
            throw new HttpException(500, "forwarded more than " + FORWARDS_MAX + " times");
        }
        String method = first.method().equals("HEAD") ? "HEAD" : "GET";
        byte[] bytes = target.getBytes(StandardCharsets.UTF_8);
        ParsedTarget parsed = RequestTarget.parse(method, bytes, 0, bytes.length);
        if (!(parsed instanceof RequestTarget to) || to.form() != RequestTarget.Form.ORIGIN) {
            throw new HttpException(500, "forwarded to no path");
        }
        Resolved resolved = site.resolve(method, to);
        var request = new ForwardedRequest(first.request(), method, to);
        resolved.handler().handle(new Forwarded(first, site, resolved, request, count));
    }

    @Override
    public void forward(String target) throws Exception {
        if (isCommitted()) {
            throw new IllegalStateException("exchange " + id() + " has a response already");
        }
        run(this, site, target, count + 1);
    }

    @Override
    public Request request() {
        return request;
    }

    @Override
    public String pathParam(String name) {
        return resolved.param(name);
    }

    @Override
    public String routePattern() {
        return resolved.route().pattern();
    }

    @Override
    public boolean isRouteByParameters() {
        return resolved.isRouteByParameters(method());
    }
}
