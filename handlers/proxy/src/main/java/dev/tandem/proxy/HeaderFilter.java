package dev.tandem.proxy;

import dev.tandem.http.Headers;
import java.util.Locale;
import java.util.Set;

/// Decides which headers are forwarded (RFC 9110, section 7.6.1).
final class HeaderFilter {
    /// Headers of a single connection.
    private static final Set<String> HOP_BY_HOP =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authenticate",
                    "proxy-authentication-info",
                    "proxy-authorization",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    /// Request headers that are replaced, or handled here. CGI programs behind the upstream would
    /// read `Proxy` as a proxy's name (CVE-2016-5385); some frameworks read the last two as the
    /// path, regardless of the request line.
    private static final Set<String> REQUEST_ONLY =
            Set.of(
                    "content-length",
                    "expect",
                    "host",
                    "http2-settings",
                    "proxy",
                    "via",
                    "x-original-url",
                    "x-rewrite-url");

    /// Headers that frameworks trust as a proxy's.
    private static final Set<String> FORWARDED = Set.of("forwarded", "x-real-ip");

    private static final String FORWARDED_PREFIX = "x-forwarded-";

    private HeaderFilter() {}

    /// Returns whether a request header is forwarded unchanged. `X_Forwarded_For` is treated like
    /// its hyphenated form: CGI, WSGI and PHP map both to the same variable.
    static boolean isForwarded(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        String canonical = key.replace('_', '-');
        return !REQUEST_ONLY.contains(canonical)
                && !FORWARDED.contains(canonical)
                && !canonical.startsWith(FORWARDED_PREFIX)
                && !HOP_BY_HOP.contains(canonical)
                && !isHopByHop(headers, key);
    }

    /// Returns whether a response header is returned unchanged; the server sets `Date` itself.
    static boolean isReturned(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return !key.equals("content-length") && !key.equals("date") && !isHopByHop(headers, key);
    }

    private static boolean isHopByHop(Headers headers, String key) {
        return HOP_BY_HOP.contains(key)
                || headers.contains("Connection") && headers.hasToken("Connection", key);
    }
}
