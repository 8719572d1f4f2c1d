package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// What a request is for: the request target (RFC 9112, section 3.2), checked and decoded once.
/// Immutable; may be cached and shared by threads.
public final class RequestTarget implements ParsedTarget {

    /// The four forms of RFC 9112, sections 3.2.1 to 3.2.4.
    public enum Form {
        /// `/path?query`.
        ORIGIN,
        /// `http://host/path?query`.
        ABSOLUTE,
        /// `host:port`, of CONNECT only.
        AUTHORITY,
        /// `*`, of OPTIONS only.
        ASTERISK
    }

    private final Form form;
    private final String path;
    private final @Nullable String query;
    private final @Nullable String authority;

    /// Null until asked for where it is just `path?query`. A race to set it is harmless: strings
    /// are safe to publish, and all threads make the same one.
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

    /// Reads the target in `bytes[from..to)`. Never throws on what a client can send: a target that
    /// breaks the rules below is [ParsedTarget.Invalid] with 400.
    ///
    /// Characters are those of RFC 3986 and, since browsers send them bare, `[ ] |` in paths and
    /// `` [ ] { } | ^ \ ` `` in queries. The scheme of an absolute form is http or https, its
    /// authority without user information (RFC 9110, section 4.2.4).
    ///
    /// In a path, `%2F`, `%5C` and `%00` and every other control character are refused: whether an
    /// encoded slash parts segments, whether a backslash does, and where a NUL ends a name, are
    /// questions on which two programs that see the same request (a proxy with rules for paths,
    /// this server, a file system, a CGI program) give different answers; that is how rules are
    /// walked around. So are malformed percent codes, what is not UTF-8 when decoded (overlong
    /// forms and surrogates included), and segments `..` that climb above the root.
    public static ParsedTarget parse(String method, byte[] bytes, int from, int to) {
        return RequestTargetParser.parse(method, bytes, from, to, false);
    }

    /// As [#parse(String, byte\[\], int, int)] for a program that decides itself what encoded
    /// slashes, backslashes and control characters of ASCII mean, by the target as it was sent:
    /// they are taken, and stay as they are in [#path()]. A servlet container is one. User
    /// information before a host is passed over, and CONNECT may name no port.
    public static ParsedTarget parseLenient(String method, byte[] bytes, int from, int to) {
        return RequestTargetParser.parse(method, bytes, from, to, true);
    }

    public Form form() {
        return form;
    }

    /// Whether it is of absolute form and its scheme is https: to be answered over TLS only
    /// (RFC 9110, section 7.4).
    public boolean isHttps() {
        return form == Form.ABSOLUTE && raw().regionMatches(true, 0, "https", 0, 5);
    }

    /// Where the path with a slash at its end is, with the query: for a redirection.
    ///
    /// Made of the decoded path, which has one slash at its beginning, never two: `//host/` would
    /// send the client to another host.
    public String withTrailingSlash() {
        return TrailingSlash.of(path, query);
    }

    /// As it was sent.
    public String raw() {
        String known = raw;
        if (known == null) {
            known = query == null ? path : path + "?" + query;
            raw = known;
        }
        return known;
    }

    /// The path, percent-decoded, with runs of slashes merged to one and dot segments (also encoded
    /// ones) resolved; begins with `/`. It is `/` for the authority and asterisk forms, which have
    /// none: ask [#form()] first where that matters.
    public String path() {
        return path;
    }

    /// What follows the first `?`, as sent: neither decoded nor checked for percent codes.
    public @Nullable String query() {
        return query;
    }

    /// Host and port as sent, of an absolute or authority form; it overrides the Host field
    /// (RFC 9112, section 3.2.2).
    public @Nullable String authority() {
        return authority;
    }

    /// [#raw()].
    @Override
    public String toString() {
        return raw();
    }
}
