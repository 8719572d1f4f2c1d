package dev.tandem.proxy;

import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.Request;
import dev.tandem.http.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The head of the request as upstreams get it. Immutable.
///
/// The path is what handlers and filters here have seen: dot segments are resolved and slashes
/// merged, so that the upstream cannot take for another path what a filter has let through.
final class Question {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /// What stands for itself in a path (RFC 3986, section 3.3).
    private static final boolean[] PLAIN = new boolean[128];

    static {
        for (char c = 0; c < PLAIN.length; c++) {
            boolean isWord = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            PLAIN[c] = isWord || "-._~/!$&'()*+,;=:@".indexOf(c) >= 0;
        }
    }

    private final byte[] head;
    private final boolean isRepeatable;

    private Question(byte[] head, boolean isRepeatable) {
        this.head = head;
        this.isRepeatable = isRepeatable;
    }

    /// @param upgrade the protocol that the client asks for in place of HTTP, or null
    static Question of(Exchange x, ProxyOptions options, @Nullable String upgrade) {
        Request request = x.request();
        var text = new StringBuilder(512);
        text.append(request.method()).append(' ');
        target(text, request.target(), options.prefix());
        text.append(" HTTP/1.1\r\nHost: ").append(host(request, options)).append("\r\n");
        Headers headers = request.headers();
        Fields fields = Fields.ofRequest(headers);
        for (int i = 0; i < headers.size(); i++) {
            if (fields.goesOn(i)) {
                line(text, headers.name(i), headers.value(i));
            }
        }
        forwarded(text, request, options.isTrusting());
        line(text, "Via", joined(headers, "Via", "1." + request.minorVersion() + " tandem"));
        framing(text, request);
        if (upgrade != null) {
            text.append("Connection: upgrade\r\n");
            line(text, "Upgrade", upgrade);
        }
        byte[] head = text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        return new Question(head, isRepeatable(request));
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
        return request.bodyLength() == 0
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

    private static void target(StringBuilder text, Target target, String prefix) {
        if (target.form() == Target.Form.ASTERISK) {
            text.append('*');
            return;
        }
        String path = target.path();
        boolean isBelow = !prefix.isEmpty() && path.startsWith(prefix);
        String rest = isBelow ? path.substring(prefix.length()) : path;
        if (isBelow && !rest.isEmpty() && rest.charAt(0) != '/') {
            rest = path; // /apix is not below /api
        }
        text.append(rest.isEmpty() ? "/" : "");
        if (isPlain(rest)) {
            text.append(rest);
        } else {
            encoded(text, rest);
        }
        String query = target.query();
        if (query != null) {
            text.append('?').append(query);
        }
    }

    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (!isPlain(path.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(char c) {
        return c < PLAIN.length && PLAIN[c];
    }

    private static void encoded(StringBuilder text, String path) {
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isPlain(c)) {
                text.append(c);
            } else {
                text.append('%').append(HEX.toHexDigits(b));
            }
        }
    }

    private static String host(Request request, ProxyOptions options) {
        String fixed = options.host();
        return fixed != null ? fixed : hostAsked(request);
    }

    private static String hostAsked(Request request) {
        String authority = request.target().authority();
        String host = authority != null ? authority : request.headers().first("Host");
        return host == null ? "" : host;
    }

    // ---- Who asked.

    private static void forwarded(StringBuilder text, Request request, boolean isTrusting) {
        Headers known = isTrusting ? request.headers() : Headers.EMPTY;
        String address = address(request);
        String proto = request.isSecure() ? "https" : "http";
        String host = hostAsked(request);
        forwarded(text.append("Forwarded: "), known, address, proto, host);
        line(text, "X-Forwarded-For", joined(known, "X-Forwarded-For", address));
        line(text, "X-Forwarded-Proto", kept(known, "X-Forwarded-Proto", proto));
        line(text, "X-Forwarded-Host", kept(known, "X-Forwarded-Host", host));
    }

    /// RFC 7239.
    private static void forwarded(
            StringBuilder text, Headers known, String address, String proto, String host) {
        String before = known.joined("Forwarded");
        text.append(before).append(before.isEmpty() ? "for=" : ", for=");
        boolean isV6 = address.indexOf(':') >= 0;
        text.append(isV6 ? "\"[" : "").append(address).append(isV6 ? "]\"" : "");
        text.append(";proto=").append(proto);
        if (!host.isEmpty()) {
            String quotable = host.indexOf('"') < 0 ? host : host.replace("\"", "");
            text.append(";host=\"").append(quotable).append('"');
        }
        text.append("\r\n");
    }

    private static String kept(Headers known, String name, String own) {
        String first = known.first(name);
        return first == null ? own : first;
    }

    private static String address(Request request) {
        InetAddress address =
                request.remote() instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (address == null) {
            return "unknown"; // the end of a socket of this machine
        }
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    private static void framing(StringBuilder text, Request request) {
        long length = request.bodyLength();
        boolean isMeantToHave =
                switch (request.method()) {
                    case "POST", "PUT", "PATCH" -> true;
                    default -> false;
                };
        if (length < 0) {
            text.append("Transfer-Encoding: chunked\r\n");
        } else if (length > 0 || isMeantToHave) {
            line(text, "Content-Length", Long.toString(length));
        }
    }
}
