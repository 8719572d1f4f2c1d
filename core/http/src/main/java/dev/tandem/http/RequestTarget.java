package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// A request target (RFC 9112, section 3.2), validated and decoded once. Immutable and thread-safe;
/// may be cached.
public final class RequestTarget implements ParsedTarget {

    /// The four forms of RFC 9112, sections 3.2.1 to 3.2.4.
    public enum Form {
        /// `/path?query`.
        ORIGIN,
        /// `http://host/path?query`.
        ABSOLUTE,
        /// `host:port`, for CONNECT only.
        AUTHORITY,
        /// `*`, for OPTIONS only.
        ASTERISK
    }

    private final Form form;
    private final String path;
    private final @Nullable String query;
    private final @Nullable String authority;

    /// Null until requested if it equals `path?query`. A race to set it is harmless: strings are
    /// published safely, and all threads create equal ones.
    private @Nullable String raw;

    RequestTarget(
            Form form,
            @Nullable String raw,
            String path,
            @Nullable String query,
            @Nullable String authority) {
        this.form = form;
        this.raw = raw;
        this.path = path;
        this.query = query;
        this.authority = authority;
    }

    /// Parses the target in `bytes[from..to)`. Never throws an exception, whatever the client
    /// sends: a target that violates the rules below is [ParsedTarget.Invalid] with status 400.
    ///
    /// The allowed characters are those of RFC 3986 and, because browsers send them unencoded, `[ ]
    /// |` in paths and `` [ ] { } | ^ \ ` `` in queries. The scheme of an absolute form is http or
    /// https, and its authority has no user information (RFC 9110, section 4.2.4).
    ///
    /// In a path, `%2F`, `%5C`, `%00` and all other control characters are rejected. Programs that
    /// process the same request (a proxy with path rules, this server, a file system, a CGI
    /// program) disagree on whether an encoded slash separates segments, whether a backslash does,
    /// and where a NUL ends a name; such differences allow clients to bypass access rules. Also
    /// rejected are malformed percent codes, invalid UTF-8 after decoding (including overlong forms
    /// and surrogates), and `..` segments that lead above the root.
    public static ParsedTarget parse(String method, byte[] bytes, int from, int to) {
        return RequestTargetParser.parse(method, bytes, from, to, false);
    }

    /// Parses a target like [#parse(String, byte\[\], int, int)], but for a program, such as a
    /// servlet container, that interprets encoded slashes, backslashes and ASCII control characters
    /// itself: they are accepted and stay encoded in [#path()]. User information before a host is
    /// ignored, and CONNECT may omit the port.
    public static ParsedTarget parseLenient(String method, byte[] bytes, int from, int to) {
        return RequestTargetParser.parse(method, bytes, from, to, true);
    }

    public Form form() {
        return form;
    }

    /// Returns whether the target has absolute form and the scheme https, so that it must only be
    /// served over TLS (RFC 9110, section 7.4).
    public boolean isHttps() {
        return form == Form.ABSOLUTE && raw().regionMatches(true, 0, "https", 0, 5);
    }

    /// Returns the path with a trailing slash, and the query, for a redirect.
    ///
    /// Derived from the decoded path, which begins with a single slash: `//host/` would redirect
    /// the client to another host.
    public String withTrailingSlash() {
        return TrailingSlash.of(path, query);
    }

    /// Returns the target as sent.
    public String raw() {
        String known = raw;
        if (known == null) {
            known = query == null ? path : path + "?" + query;
            raw = known;
        }
        return known;
    }

    /// Returns the percent-decoded path, with runs of slashes merged and dot segments (also encoded
    /// ones) resolved; begins with `/`. It is `/` for the authority and asterisk forms, which have
    /// no path: check [#form()] first if that matters.
    public String path() {
        return path;
    }

    /// Returns the part after the first `?`, as sent: neither decoded nor checked for percent
    /// codes.
    public @Nullable String query() {
        return query;
    }

    /// Returns host and port as sent, for the absolute and authority forms; overrides the Host
    /// header (RFC 9112, section 3.2.2).
    public @Nullable String authority() {
        return authority;
    }

    /// Returns [#raw()].
    @Override
    public String toString() {
        return raw();
    }
}
