package dev.tandem.proxy;

import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The head of the request as upstreams get it. Immutable.
///
/// The path is what handlers and filters here have seen: dot segments are resolved and slashes
/// merged, so that the upstream cannot take for another path what a filter has let through.
final class UpstreamRequest {
    private static final String UNRESERVED = "-._~";
    private static final String PATH_CHARACTERS = "/!$&'()*+,;=:@";

    private final byte[] head;
    private final boolean isRepeatable;

    private UpstreamRequest(byte[] head, boolean isRepeatable) {
        this.head = head;
        this.isRepeatable = isRepeatable;
    }

    /// @param upgrade the protocol that the client asks for in place of HTTP, or null
    /// @throws HttpException 400 if upstreams could take the path for another
    static UpstreamRequest of(Exchange x, ProxyOptions options, @Nullable String upgrade) {
        Request request = x.request();
        var text = new StringBuilder(512);
        text.append(request.method()).append(' ');
        target(text, request.target(), options.prefix());
        text.append(" HTTP/1.1\r\nHost: ").append(host(request, options)).append("\r\n");
        Headers headers = request.headers();
        for (int i = 0; i < headers.size(); i++) {
            if (HeaderFilter.isForwarded(headers, headers.name(i))) {
                line(text, headers.name(i), headers.value(i));
            }
        }
        forwarded(text, request, options.isTrustingForwarded());
        line(text, "Via", joined(headers, "Via", "1." + request.minorVersion() + " tandem"));
        framing(text, request);
        if (upgrade != null) {
            text.append("Connection: upgrade\r\n");
            line(text, "Upgrade", upgrade);
        }
        byte[] head = text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        return new UpstreamRequest(head, isRepeatable(request));
    }

    byte[] head() {
        return head;
    }

    /// Whether it may be sent twice: it has no body, and its method means the same if it is (RFC
    /// 9110, section 9.2.2).
    boolean isRepeatable() {
        return isRepeatable;
    }

    private static boolean isRepeatable(Request request) {
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
        String path = target.path();
        boolean isBelow = !prefix.isEmpty() && path.startsWith(prefix);
        String rest = isBelow ? path.substring(prefix.length()) : path;
        if (isBelow && !rest.isEmpty() && rest.charAt(0) != '/') {
            rest = path; // /apix is not below /api
        }
        if (rest.contains("/.;") || rest.contains("/..;")) {
            // Servers that cut parameters off first, as Tomcat, resolve what is left.
            throw new HttpException(400, "a dot segment with parameters");
        }
        text.append(rest.isEmpty() ? "/" : "");
        for (byte b : rest.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (isPlain || UNRESERVED.indexOf(c) >= 0 || PATH_CHARACTERS.indexOf(c) >= 0) {
                text.append(c);
            } else {
                text.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        String query = target.query();
        if (query != null) {
            text.append('?').append(query);
        }
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

    // ---- Who asked.

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
            return "unknown"; // the end of a socket of this machine
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
