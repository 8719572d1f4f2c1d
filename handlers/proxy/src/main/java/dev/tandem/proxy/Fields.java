package dev.tandem.proxy;

import dev.tandem.http.Headers;
import java.util.Locale;
import java.util.Set;

/// Which fields go on (RFC 9110, section 7.6.1).
final class Fields {
    /// Those of one connection only.
    private static final Set<String> HOPS =
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
    private static final Set<String> OF_REQUESTS =
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

    private Fields() {}

    /// Whether a request's field goes on as it is. `X_Forwarded_For` goes by what it passes for:
    /// CGI, WSGI and PHP make the same variable of both.
    static boolean goesOn(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        String meant = key.replace('_', '-');
        return !OF_REQUESTS.contains(meant)
                && !FORWARDED.contains(meant)
                && !meant.startsWith(FORWARDED_PREFIX)
                && !HOPS.contains(meant)
                && !isHop(headers, key);
    }

    /// Whether an answer's field goes back as it is; `Date` is the server's own to set.
    static boolean comesBack(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return !key.equals("content-length") && !key.equals("date") && !isHop(headers, key);
    }

    private static boolean isHop(Headers headers, String key) {
        return HOPS.contains(key)
                || headers.contains("Connection") && headers.hasToken("Connection", key);
    }
}
