package dev.tandem;

import dev.tandem.engine.Engine;
import dev.tandem.engine.memory.MemoryExchange;
import dev.tandem.http.Headers;
import dev.tandem.http.RequestTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The sites of a [Tandem] without sockets, loops and threads: each request runs on the thread that
/// calls [#handle]. For tests, mostly by `tandem-testing`.
///
/// Hosts, routes, filters, handlers, exception handlers, error pages, the mapper, `bodyMax` and the
/// limits of forms are those of a real server. There is no admission and no time limit; WebSocket
/// sessions, changes of the protocol and what continues on an event loop (the reverse proxy) are
/// 501. Of events, the response has those that are there when the handler returns. Safe for use by
/// any thread.
public final class MemoryServer {
    private final Engine engine;

    MemoryServer(Engine engine) {
        this.engine = engine;
    }

    /// A response.
    ///
    /// @param headers without those that the protocol adds, such as `Date`
    /// @param body empty if it has none
    public record Response(int status, Headers headers, byte[] body) {}

    /// Runs a request to its end.
    ///
    /// @param target in origin form, percent-encoded: a path, perhaps with a query
    /// @param headers as a client sends them; `Host` selects the site
    /// @param body empty if there is none
    /// @throws IllegalArgumentException if the target is malformed, which a server would reject
    ///     with 400
    /// @throws IOException if the response is incomplete, since the handler failed when it had
    ///     begun
    /// @throws UnsupportedOperationException if a container responds to the request
    public Response handle(String method, String target, Headers headers, byte[] body)
            throws IOException {
        byte[] bytes = target.getBytes(StandardCharsets.UTF_8);
        if (!(RequestTarget.parse(method, bytes, 0, bytes.length)
                instanceof RequestTarget parsed)) {
            throw new IllegalArgumentException("not a request target: " + target);
        }
        var exchange = new MemoryExchange(engine, method, parsed, headers, body);
        exchange.run();
        return new Response(exchange.status(), exchange.responseHeaders(), exchange.content());
    }
}
