package dev.tandem.proxy;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.Headers;
import dev.tandem.http.Request;
import dev.tandem.upstream.Address;
import dev.tandem.upstream.Upstream;
import dev.tandem.upstream.UpstreamConnection;
import dev.tandem.upstream.UpstreamPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A reverse proxy for HTTP/1.1: `route("*", "/{path...}", Proxy.to(List.of("…:3000")))`. Thread
/// safe.
///
/// Each request goes to the upstream with the fewest requests. Content is streamed in both
/// directions. A request that could not be sent is sent to another upstream; so is a request that
/// may be repeated, if no byte of a response was received. A malformed response is 502, a time-out
/// 504, and 503 if every upstream has the maximum number of connections. A connection is reused
/// only after a response that ended where its framing said.
public final class Proxy implements Handler, AutoCloseable {
    /// A single name, with or without a version (RFC 9110, section 7.8); not HTTP, h2c or TLS.
    private static final Pattern PROTOCOL =
            Pattern.compile("(?i)(?!h2|http|tls)[a-z0-9._-]{1,40}(/[a-z0-9._-]{1,40})?");

    private final UpstreamPool upstreams;
    private final ProxyOptions options;

    private Proxy(UpstreamPool upstreams, ProxyOptions options) {
        this.upstreams = upstreams;
        this.options = options;
    }

    /// Returns a proxy with [ProxyOptions#DEFAULT].
    ///
    /// @param addresses see [Address]
    /// @throws IllegalArgumentException if there is none, or one is malformed
    public static Proxy to(List<String> addresses) {
        return to(addresses, ProxyOptions.DEFAULT);
    }

    /// @param addresses see [Address]
    /// @throws IllegalArgumentException if there is none, or one is malformed
    public static Proxy to(List<String> addresses, ProxyOptions options) {
        var upstreams =
                new UpstreamPool(addresses.stream().map(Address::of).toList(), options.upstream());
        var proxy = new Proxy(upstreams, options);
        String path = options.healthPath();
        if (path != null) {
            var check = new Health(path, options.host());
            upstreams.startHealthChecks(options.healthInterval(), check::isHealthy);
        }
        return proxy;
    }

    /// Returns the upstreams and their state.
    public UpstreamPool upstreams() {
        return upstreams;
    }

    /// The exchange continues on its event loop: no thread waits for an upstream. A path that
    /// upstreams could interpret differently is rejected with 400.
    @Override
    public void handle(Exchange x) {
        String upgrade = requestedUpgrade(x);
        var request = UpstreamRequest.of(x, options, upgrade);
        LoopExchange.begin(x, new ProxiedExchange(x, upstreams, options, request, upgrade));
    }

    /// Returns the protocol to which the client asks to upgrade, or null. Upgrades to other
    /// versions of HTTP are not forwarded, since later requests would bypass this server's checks.
    /// Nor are lists, from which the upstream would choose.
    private static @Nullable String requestedUpgrade(Exchange x) {
        Request request = x.request();
        boolean mayAsk =
                x.method().equals("GET")
                        && request.minorVersion() > 0
                        && request.contentLength() == 0;
        Headers headers = mayAsk ? request.headers() : Headers.EMPTY;
        String protocol = headers.contains("Upgrade") ? headers.joined("Upgrade") : "";
        boolean isAsked =
                PROTOCOL.matcher(protocol).matches() && headers.hasToken("Connection", "upgrade");
        return isAsked ? protocol : null;
    }

    /// Checks the health of an upstream.
    private record Health(String path, @Nullable String host) {

        boolean isHealthy(UpstreamConnection connection) throws IOException {
            String name = host == null ? hostOf(connection.upstream().address()) : host;
            String text =
                    "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: tandem\r\nConnection: close\r\n\r\n"
                            .formatted(path, name);
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            connection.write(bytes, 0, bytes.length);
            connection.flush();
            var line = new StringBuilder();
            while (line.length() < 12 && connection.read()) {
                while (connection.input().hasRemaining() && line.length() < 12) {
                    line.append((char) connection.input().get());
                }
            }
            return line.toString().matches("HTTP/1\\.[01] [23]\\d\\d");
        }

        /// With the port and an IPv6 address's brackets (RFC 9110, section 7.2). A Unix socket has
        /// no name, and servers reject an empty one.
        private static String hostOf(Address address) {
            return address.host().isEmpty() ? "localhost" : address.text();
        }
    }

    /// Returns the number of active requests.
    public int requestCount() {
        return upstreams.members().stream().mapToInt(Upstream::inUse).sum();
    }

    /// Closes idle connections and ends health checks. Stop the server first.
    @Override
    public void close() {
        upstreams.close();
    }
}
