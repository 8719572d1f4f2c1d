package dev.tandem.proxy;

import dev.tandem.http.Headers;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Decides which headers of a message are forwarded (RFC 9110, section 7.6.1).
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

    /// The options of `Connection`, in lower case: they name other headers of a single connection.
    /// Read once for a message, since a client may send thousands.
    private final Set<String> options;

    private HeaderFilter(Set<String> options) {
        this.options = options;
    }

    static HeaderFilter of(Headers headers) {
        String list = headers.joined("Connection");
        if (list.isEmpty()) {
            return new HeaderFilter(Set.of());
        }
        var options = new HashSet<String>();
        for (String option : list.toLowerCase(Locale.ROOT).split(",")) {
            options.add(option.strip());
        }
        return new HeaderFilter(options);
    }

    /// Returns whether a request header is forwarded unchanged. `X_Forwarded_For` is treated like
    /// its hyphenated form: CGI, WSGI and PHP map both to the same variable.
    boolean isForwarded(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        String canonical = key.replace('_', '-');
        return !REQUEST_ONLY.contains(canonical)
                && !FORWARDED.contains(canonical)
                && !canonical.startsWith(FORWARDED_PREFIX)
                && !HOP_BY_HOP.contains(canonical)
                && !isHopByHop(key);
    }

    /// Returns whether a response header is returned unchanged; the server sets `Date` itself.
    boolean isReturned(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        return !key.equals("content-length") && !key.equals("date") && !isHopByHop(key);
    }

    private boolean isHopByHop(String key) {
        return HOP_BY_HOP.contains(key) || options.contains(key);
    }
}
