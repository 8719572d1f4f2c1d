package dev.tandem.engine;

import dev.tandem.http.FieldSyntax;
import dev.tandem.http.NameSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The response headers that a handler has set, in order, except those that the protocol sets.
/// Confined to its exchange.
public final class ResponseHeaders {
    /// Only the server sets headers for connection and framing: two sources of framing enable
    /// response splitting and smuggling.
    private static final NameSet SERVER_HEADERS =
            NameSet.of("connection", "date", "keep-alive", "transfer-encoding", "upgrade");

    /// RFC 9110, sections 8, 10.2.2, 14 and 6.6.2; RFC 9111, section 5; RFC 9530; RFC 6266.
    private static final NameSet OF_CONTENT =
            NameSet.of(
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

    /// Most responses have no more than three.
    private static final int EXPECTED = 6;

    /// Name and value of each, alternating.
    private String[] pairs = new String[EXPECTED];

    /// Number of used elements of `pairs`.
    private int end;

    private long contentLength = -1;

    /// Sets a header; replaces any of that name.
    void set(String name, String value) {
        if (takesLength(name, value)) {
            return;
        }
        check(name, value);
        boolean isFound = false;
        for (int i = 0; i < end; i += 2) {
            if (pairs[i].equalsIgnoreCase(name)) {
                if (isFound) {
                    remove(i);
                    i -= 2;
                } else {
                    pairs[i + 1] = value;
                    isFound = true;
                }
            }
        }
        if (!isFound) {
            append(name, value);
        }
    }

    /// Adds a header that handlers may not set.
    void addOwn(String name, String value) {
        append(name, value);
    }

    /// Adds a header to those of that name.
    public void add(String name, String value) {
        if (!takesLength(name, value)) {
            check(name, value);
            append(name, value);
        }
    }

    /// Adds a header of a container, which may also set those of the server; the protocol drops
    /// what it has no use for.
    public void addAny(String name, String value) {
        append(FieldSyntax.requireName(name), FieldSyntax.requireValue(value));
    }

    private void append(String name, String value) {
        if (end == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * end);
        }
        pairs[end] = name;
        pairs[end + 1] = value;
        end += 2;
    }

    private void remove(int at) {
        System.arraycopy(pairs, at + 2, pairs, at, end - at - 2);
        end -= 2;
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
        if (SERVER_HEADERS.contains(name)) {
            throw new IllegalArgumentException(name + " is the server's to set");
        }
    }

    /// Returns how many headers there are.
    public int size() {
        return end / 2;
    }

    /// Returns the name of header `i`, from 0.
    public String name(int i) {
        return pairs[2 * i];
    }

    /// Returns the value of header `i`, from 0.
    public String value(int i) {
        return pairs[2 * i + 1];
    }

    /// Returns every value of that name; mostly none.
    List<String> all(String name) {
        List<String> values = List.of();
        for (int i = 0; i < end; i += 2) {
            if (pairs[i].equalsIgnoreCase(name)) {
                if (values.isEmpty()) {
                    values = new ArrayList<>();
                }
                values.add(pairs[i + 1]);
            }
        }
        return values;
    }

    @Nullable String first(String name) {
        for (int i = 0; i < end; i += 2) {
            if (pairs[i].equalsIgnoreCase(name)) {
                return pairs[i + 1];
            }
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH) && contentLength >= 0) {
            return Long.toString(contentLength);
        }
        return null;
    }

    /// Returns the length that was set, in bytes, or -1.
    long contentLength() {
        return contentLength;
    }

    boolean isEmpty() {
        return end == 0;
    }

    /// Removes headers that describe content which is not sent after all, or how long it may be
    /// cached. Those that concern the client or the site stay: cookies, security policies (also
    /// `Content-Security-Policy`), cross-origin requests, `Allow`, `WWW-Authenticate`.
    void dropContent() {
        contentLength = -1;
        for (int i = end - 2; i >= 0; i -= 2) {
            if (OF_CONTENT.contains(pairs[i])) {
                remove(i);
            }
        }
    }
}
