package dev.tandem.proxy;

import dev.tandem.http.Headers;
import dev.tandem.http.NameSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Decides which headers of a message are forwarded (RFC 9110, section 7.6.1).
final class HeaderFilter {
    /// Headers of a single connection.
    private static final NameSet HOP_BY_HOP =
            NameSet.of(
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
    private static final NameSet REQUEST_ONLY =
            NameSet.of(
                    "content-length",
                    "expect",
                    "host",
                    "http2-settings",
                    "proxy",
                    "via",
                    "x-original-url",
                    "x-rewrite-url");

    /// Headers that frameworks trust as a proxy's.
    private static final NameSet FORWARDED = NameSet.of("forwarded", "x-real-ip");

    private static final String FORWARDED_PREFIX = "x-forwarded-";

    private static final NameSet SET_BY_THE_SERVER = NameSet.of("content-length", "date");

    /// It names itself, and is one of [#HOP_BY_HOP].
    private static final String USUAL_OPTION = "keep-alive";

    /// The options of `Connection`, in lower case: they name other headers of a single connection.
    /// Read once for a message, since a client may send thousands.
    private final Set<String> options;

    private HeaderFilter(Set<String> options) {
        this.options = options;
    }

    static HeaderFilter of(Headers headers) {
        String list = headers.joined("Connection");
        if (list.isEmpty() || list.equalsIgnoreCase(USUAL_OPTION)) {
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
        String canonical = name.indexOf('_') < 0 ? name : name.replace('_', '-');
        return !REQUEST_ONLY.contains(canonical)
                && !FORWARDED.contains(canonical)
                && !canonical.regionMatches(true, 0, FORWARDED_PREFIX, 0, FORWARDED_PREFIX.length())
                && !HOP_BY_HOP.contains(canonical)
                && !isHopByHop(name);
    }

    /// Returns whether a response header is returned unchanged.
    boolean isReturned(String name) {
        return !SET_BY_THE_SERVER.contains(name) && !isHopByHop(name);
    }

    private boolean isHopByHop(String name) {
        return HOP_BY_HOP.contains(name)
                || !options.isEmpty() && options.contains(name.toLowerCase(Locale.ROOT));
    }
}
