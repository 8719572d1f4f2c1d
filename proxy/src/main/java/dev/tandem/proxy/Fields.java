package dev.tandem.proxy;

import dev.tandem.http.Headers;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/// Which of a message's fields go on (RFC 9110, section 7.6.1). Immutable.
final class Fields {
    /// Those of one connection only.
    private static final Set<String> HOPS =
            Set.of(
                    "Connection",
                    "Keep-Alive",
                    "Proxy-Connection",
                    "Proxy-Authenticate",
                    "Proxy-Authentication-Info",
                    "Proxy-Authorization",
                    "TE",
                    "Trailer",
                    "Transfer-Encoding",
                    "Upgrade");

    /// Those of a request that are made anew, or answered here. `Proxy` is what CGI programs
    /// behind the upstream would take for a proxy's name (CVE-2016-5385).
    private static final Set<String> OF_REQUESTS =
            Set.of(
                    "Content-Length",
                    "Expect",
                    "Host",
                    "HTTP2-Settings",
                    "Proxy",
                    "Via",
                    "Forwarded",
                    "X-Forwarded-For",
                    "X-Forwarded-Host",
                    "X-Forwarded-Proto",
                    "X-Forwarded-Port",
                    "X-Forwarded-Server",
                    "X-Real-IP");

    /// `Date` is the server's own to set.
    private static final Set<String> OF_ANSWERS = Set.of("Content-Length", "Date");

    private static final Set<String> REQUESTS = staying(OF_REQUESTS);
    private static final Set<String> ANSWERS = staying(OF_ANSWERS);

    private final Headers headers;
    private final Set<String> staying;

    /// Whether `Connection` is there, which may name others.
    private final boolean isNaming;

    private Fields(Headers headers, Set<String> staying) {
        this.headers = headers;
        this.staying = staying;
        this.isNaming = headers.contains("Connection");
    }

    static Fields ofRequest(Headers headers) {
        return new Fields(headers, REQUESTS);
    }

    static Fields ofAnswer(Headers headers) {
        return new Fields(headers, ANSWERS);
    }

    /// Looked up without a string in lower case for each.
    private static Set<String> staying(Set<String> more) {
        var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(HOPS);
        names.addAll(more);
        return Collections.unmodifiableSet(names);
    }

    /// Whether field `i` goes on as it is.
    boolean goesOn(int i) {
        String name = headers.name(i);
        return !staying.contains(name) && !(isNaming && headers.hasToken("Connection", name));
    }
}
