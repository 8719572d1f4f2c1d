package dev.tandem.proxy;

import dev.tandem.engine.loop.RoutedExchange;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The head of a request as it is sent to upstreams. Made when it is sent: a client may be slow
/// with its body, and the head would be in memory three times meanwhile. Confined to the exchange.
///
/// The path is the one that handlers and filters of this server have seen: dot segments are
/// resolved and slashes merged, so that the upstream cannot interpret it as another path than a
/// filter has accepted. Semicolons stay, encoded or not: an upstream may remove them with what
/// follows, so the path without these parameters must have the same route.
final class UpstreamRequest {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final String UNRESERVED = "-._~";
    private static final String PATH_CHARACTERS = "/!$&'()*+,;=:@";

    private final Request request;
    private final ProxyOptions options;
    private final @Nullable String upgrade;
    private final String target;

    private UpstreamRequest(
            Request request, ProxyOptions options, @Nullable String upgrade, String target) {
        this.request = request;
        this.options = options;
        this.upgrade = upgrade;
        this.target = target;
    }

    /// @param upgrade the protocol to which the client asks to upgrade, or null
    /// @throws HttpException 400 if upstreams could interpret the path differently
    static UpstreamRequest of(Exchange x, ProxyOptions options, @Nullable String upgrade) {
        Request request = x.request();
        if (RoutedExchange.isRouteByParameters(x)) {
            throw new HttpException(400, "a path whose parameters lead around a route");
        }
        var target = new StringBuilder();
        target(target, request.target(), options.prefix());
        return new UpstreamRequest(request, options, upgrade, target.toString());
    }

    byte[] head() {
        var text = new StringBuilder(512);
        text.append(request.method()).append(' ').append(target);
        text.append(" HTTP/1.1\r\nHost: ").append(host(request, options)).append("\r\n");
        Headers headers = request.headers();
        HeaderFilter filter = HeaderFilter.of(headers);
        for (int i = 0; i < headers.size(); i++) {
            if (filter.isForwarded(headers.name(i))) {
                line(text, headers.name(i), headers.value(i));
            }
        }
        forwarded(text, request, options.isTrustingForwarded());
        line(text, "Via", joined(headers, "Via", request.version().number() + " tandem"));
        framing(text, request);
        if (upgrade != null) {
            text.append("Connection: upgrade\r\n");
            line(text, "Upgrade", upgrade);
        }
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Returns whether it may be sent twice: it has no content, and its method is idempotent (RFC
    /// 9110, section 9.2.2).
    boolean isRepeatable() {
        return request.contentLength() == 0
                && switch (request.method()) {
                    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" -> true;
                    default -> false;
                };
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append("\r\n");
    }

    private static String joined(Headers headers, String name, String own) {
        return headers.contains(name) ? headers.joined(name) + ", " + own : own;
    }

    // ---- The target.

    private static void target(StringBuilder text, RequestTarget target, String prefix) {
        if (target.form() == RequestTarget.Form.ASTERISK) {
            text.append('*');
            return;
        }
        String path = withoutPrefix(target.path(), prefix);
        if (path.contains("/.;") || path.contains("/..;")) {
            // Servers that remove parameters first, as Tomcat does, resolve the remaining dot
            // segment.
            throw new HttpException(400, "a dot segment with parameters");
        }
        text.append(path.isEmpty() ? "/" : "");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            encode(text, (char) (b & 0xff));
        }
        String query = target.query();
        if (query != null) {
            text.append('?').append(query);
        }
    }

    /// Removes the prefix from paths below it: `/apix` is not below `/api`.
    private static String withoutPrefix(String path, String prefix) {
        boolean isBelow =
                path.startsWith(prefix)
                        && (path.length() == prefix.length()
                                || path.charAt(prefix.length()) == '/');
        return isBelow ? path.substring(prefix.length()) : path;
    }

    /// Appends a byte of a path, percent-encoded unless RFC 3986 allows it there.
    private static void encode(StringBuilder text, char c) {
        if (isAlphanumeric(c) || UNRESERVED.indexOf(c) >= 0 || PATH_CHARACTERS.indexOf(c) >= 0) {
            text.append(c);
        } else {
            HEX.toHexDigits(text.append('%'), (byte) c);
        }
    }

    private static boolean isAlphanumeric(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }

    private static String host(Request request, ProxyOptions options) {
        String fixed = options.host();
        return fixed != null ? fixed : requestedHost(request);
    }

    private static String requestedHost(Request request) {
        String authority = request.target().authority();
        String host = authority != null ? authority : request.headers().first("Host");
        return host == null ? "" : host;
    }

    // ---- Forwarding headers.

    private static void forwarded(
            StringBuilder text, Request request, boolean isTrustingForwarded) {
        Headers known = isTrustingForwarded ? request.headers() : Headers.EMPTY;
        String address = address(request);
        String proto = request.isSecure() ? "https" : "http";
        String host = requestedHost(request);
        String node = address.indexOf(':') >= 0 ? "\"[" + address + "]\"" : address;
        String own =
                "for="
                        + node
                        + ";proto="
                        + proto
                        + (host.isEmpty() ? "" : ";host=\"" + host.replace("\"", "") + '"');
        line(text, "Forwarded", joined(known, "Forwarded", own));
        line(text, "X-Forwarded-For", joined(known, "X-Forwarded-For", address));
        line(text, "X-Forwarded-Proto", kept(known, "X-Forwarded-Proto", proto));
        line(text, "X-Forwarded-Host", kept(known, "X-Forwarded-Host", host));
    }

    private static String kept(Headers known, String name, String own) {
        String first = known.first(name);
        return first == null ? own : first;
    }

    private static String address(Request request) {
        InetAddress address =
                request.remoteAddress() instanceof InetSocketAddress inet
                        ? inet.getAddress()
                        : null;
        if (address == null) {
            return "unknown"; // a Unix domain socket
        }
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    private static void framing(StringBuilder text, Request request) {
        long length = request.contentLength();
        boolean expectsContent =
                switch (request.method()) {
                    case "POST", "PUT", "PATCH" -> true;
                    default -> false;
                };
        if (length < 0) {
            text.append("Transfer-Encoding: chunked\r\n");
        } else if (length > 0 || expectsContent) {
            line(text, "Content-Length", Long.toString(length));
        }
    }
}
