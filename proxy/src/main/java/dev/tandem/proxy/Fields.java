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
    /// behind the upstream would take for a proxy's name (CVE-2016-5385).
    private static final Set<String> OF_REQUESTS =
            Set.of("content-length", "expect", "host", "http2-settings", "proxy", "via");

    private static final Set<String> FORWARDED =
            Set.of(
                    "forwarded",
                    "x-forwarded-for",
                    "x-forwarded-host",
                    "x-forwarded-proto",
                    "x-forwarded-port",
                    "x-forwarded-server",
                    "x-real-ip");

    private Fields() {}

    /// Whether a request's field goes on as it is.
    static boolean goesOn(Headers headers, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return !OF_REQUESTS.contains(key) && !FORWARDED.contains(key) && !isHop(headers, key);
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
