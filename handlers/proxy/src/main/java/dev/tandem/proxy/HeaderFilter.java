package dev.tandem.proxy;

import dev.tandem.http.Headers;
import java.util.Locale;
import java.util.Set;

/// Which fields go on (RFC 9110, section 7.6.1).
final class HeaderFilter {
    /// Those of one connection only.
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

    /// Those of a request that are made anew, or answered here. `Proxy` is what CGI programs
    /// behind the upstream would take for a proxy's name (CVE-2016-5385); the last two are what
    /// some frameworks take for the path, whatever the request line has.
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

    /// What frameworks take for the word of a proxy.
    private static final Set<String> FORWARDED = Set.of("forwarded", "x-real-ip");

    private static final String FORWARDED_PREFIX = "x-forwarded-";

    private HeaderFilter() {}

    /// Whether a request's field goes on as it is. `X_Forwarded_For` goes by what it passes for:
    /// CGI, WSGI and PHP make the same variable of both.
    static boolean isForwarded(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        String canonical = key.replace('_', '-');
        return !REQUEST_ONLY.contains(canonical)
                && !FORWARDED.contains(canonical)
                && !canonical.startsWith(FORWARDED_PREFIX)
                && !HOP_BY_HOP.contains(canonical)
                && !isHopByHop(headers, key);
    }

    /// Whether an answer's field goes back as it is; `Date` is the server's own to set.
    static boolean isReturned(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return !key.equals("content-length") && !key.equals("date") && !isHopByHop(headers, key);
    }

    private static boolean isHopByHop(Headers headers, String key) {
        return HOP_BY_HOP.contains(key)
                || headers.contains("Connection") && headers.hasToken("Connection", key);
    }
}
