package dev.tandem.server;

import dev.tandem.http.FieldSyntax;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The header fields a handler set, in order. Confined to its exchange.
final class ResponseHeaders {
    /// Those that say how an answer travels are the server's: two voices about framing are what
    /// response splitting and smuggling are made of.
    private static final Set<String> OURS =
            Set.of("connection", "date", "keep-alive", "transfer-encoding", "upgrade");

    /// RFC 9110, sections 8, 10.2.2, 14 and 6.6.2; RFC 9111, section 5; RFC 9530; RFC 6266.
    private static final Set<String> OF_CONTENT =
            Set.of(
                    "accept-ranges",
                    "age",
                    "cache-control",
                    "content-digest",
                    "content-disposition",
                    "content-encoding",
                    "content-language",
                    "content-location",
                    "content-range",
                    "content-type",
                    "etag",
                    "expires",
                    "last-modified",
                    "location",
                    "refresh",
                    "repr-digest",
                    "trailer");

    private static final String CONTENT_LENGTH = "Content-Length";

    private final List<String> pairs = new ArrayList<>(6);
    private long contentLength = -1;

    void set(String name, String value) {
        if (takesLength(name, value)) {
            return;
        }
        check(name, value);
        boolean isFound = false;
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equalsIgnoreCase(name)) {
                if (isFound) {
                    pairs.subList(i, i + 2).clear();
                    i -= 2;
                } else {
                    pairs.set(i + 1, value);
                    isFound = true;
                }
            }
        }
        if (!isFound) {
            pairs.add(name);
            pairs.add(value);
        }
    }

    void add(String name, String value) {
        if (!takesLength(name, value)) {
            check(name, value);
            pairs.add(name);
            pairs.add(value);
        }
    }

    private boolean takesLength(String name, String value) {
        if (!name.equalsIgnoreCase(CONTENT_LENGTH)) {
            return false;
        }
        try {
            contentLength = Long.parseLong(value);
        } catch (NumberFormatException e) {
            contentLength = -1;
        }
        if (contentLength < 0) {
            throw new IllegalArgumentException("Content-Length must be 0 or more, was " + value);
        }
        return true;
    }

    private static void check(String name, String value) {
        FieldSyntax.requireName(name);
        FieldSyntax.requireValue(value);
        if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(name + " is the server's to set");
        }
    }

    /// Every value of that name; mostly none.
    List<String> all(String name) {
        List<String> values = List.of();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equalsIgnoreCase(name)) {
                if (values.isEmpty()) {
                    values = new ArrayList<>();
                }
                values.add(pairs.get(i + 1));
            }
        }
        return values;
    }

    @Nullable String first(String name) {
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equalsIgnoreCase(name)) {
                return pairs.get(i + 1);
            }
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH) && contentLength >= 0) {
            return Long.toString(contentLength);
        }
        return null;
    }

    /// The length that was set, in bytes, or -1.
    long contentLength() {
        return contentLength;
    }

    boolean isEmpty() {
        return pairs.isEmpty();
    }

    /// Takes out what describes the answer that is not sent after all, or says how long it may be
    /// kept. What stays is about the client or the site: cookies, fields of security policies (also
    /// `Content-TlsSessionInfo-Policy`), those of cross-origin requests, `Allow`,
    /// `WWW-Authenticate`.
    void dropContent() {
        contentLength = -1;
        for (int i = pairs.size() - 2; i >= 0; i -= 2) {
            if (OF_CONTENT.contains(pairs.get(i).toLowerCase(Locale.ROOT))) {
                pairs.subList(i, i + 2).clear();
            }
        }
    }

    /// Writes all but the length.
    void write(ResponseHeadWriter to) {
        for (int i = 0; i < pairs.size(); i += 2) {
            to.header(pairs.get(i), pairs.get(i + 1));
        }
    }
}
