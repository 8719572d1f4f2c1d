package dev.tandem.observe;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Request;
import io.opentelemetry.api.trace.SpanBuilder;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The attributes that OpenTelemetry's conventions want of a server's span when it begins: those
/// that are required, those that are conditionally required, and the recommended ones.
///
/// @param x the exchange, before its handler
record RequestAttributes(Exchange x) {
    /// RFC 9110, section 9.3, and RFC 5789.
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

    /// Parameters whose values are credentials, in the conventions' list.
    private static final Pattern CREDENTIALS =
            Pattern.compile("(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature)=[^&]*");

    /// A host, perhaps in brackets, and perhaps a port.
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[[^\\]]*\\]|[^:]*)(?::([0-9]{1,5}))?");

    static boolean isKnown(String method) {
        return METHODS.contains(method);
    }

    /// Returns whether a route matched: the pattern of the server's own 404 and 405 is `*`.
    static boolean hasRoute(Exchange x) {
        return !x.routePattern().equals("*");
    }

    void addTo(SpanBuilder span) {
        Request request = x.request();
        method(span);
        if (hasRoute(x)) {
            span.setAttribute("http.route", x.routePattern());
        }
        span.setAttribute("url.path", x.path());
        String query = request.target().query();
        if (query != null && !query.isEmpty()) {
            span.setAttribute("url.query", withoutCredentials(query));
        }
        span.setAttribute("url.scheme", request.isSecure() ? "https" : "http");
        span.setAttribute("network.protocol.version", version(request.version()));
        if (request.remoteAddress() instanceof InetSocketAddress inet) {
            span.setAttribute("client.address", inet.getHostString());
        }
        server(span, request);
        String agent = x.header("User-Agent");
        if (agent != null) {
            span.setAttribute("user_agent.original", agent);
        }
        span.setAttribute("tandem.exchange", x.id());
    }

    private void method(SpanBuilder span) {
        if (isKnown(x.method())) {
            span.setAttribute("http.request.method", x.method());
        } else {
            span.setAttribute("http.request.method", "_OTHER");
            span.setAttribute("http.request.method_original", x.method());
        }
    }

    private static String version(HttpVersion version) {
        return version.conventionalNumber();
    }

    private static String withoutCredentials(String query) {
        return CREDENTIALS.matcher(query).replaceAll("$1$2=REDACTED");
    }

    /// Adds the host and the port that the client asked for.
    private void server(SpanBuilder span, Request request) {
        String authority = request.target().authority();
        String host = authority == null ? x.header("Host") : authority;
        Matcher parts = AUTHORITY.matcher(host == null ? "" : host);
        if (parts.matches() && !parts.group(1).isEmpty()) {
            span.setAttribute("server.address", parts.group(1));
            String port = parts.group(2);
            long standard = request.isSecure() ? 443 : 80;
            span.setAttribute("server.port", port == null ? standard : Long.parseLong(port));
        }
    }
}
