package dev.tandem.http;

import dev.tandem.http.ParsedTarget.Invalid;
import java.nio.charset.StandardCharsets;

/// Parses a request target in one pass. The path is decoded only if necessary.
final class RequestTargetParser {
    private static final byte IN_PATH = 1;
    private static final byte IN_QUERY = 2;
    private static final byte[] ALLOWED = allowed();

    private static final Invalid EMPTY = invalid("empty request target");
    private static final Invalid NO_FORM = invalid("request target of no known form");
    private static final Invalid ASTERISK_ONLY_OPTIONS =
            invalid("request target * with a method other than OPTIONS");
    private static final Invalid BAD_AUTHORITY = invalid("malformed authority in request target");
    private static final Invalid BAD_CHARACTER = invalid("character not allowed in request target");

    private static final RequestTarget ASTERISK =
            new RequestTarget(RequestTarget.Form.ASTERISK, "*", "/", null, null);

    private RequestTargetParser() {}

    static ParsedTarget parse(
            String method, byte[] bytes, int from, int to, boolean takesAmbiguous) {
        if (from >= to) {
            return EMPTY;
        }
        if (method.equals("CONNECT")) {
            return authorityForm(bytes, from, to, takesAmbiguous);
        }
        if (bytes[from] == '/') {
            return pathAndQuery(bytes, from, from, to, takesAmbiguous);
        }
        if (bytes[from] == '*' && to - from == 1) {
            return method.equals("OPTIONS") ? ASTERISK : ASTERISK_ONLY_OPTIONS;
        }
        return absoluteForm(bytes, from, to, takesAmbiguous);
    }

    private static ParsedTarget authorityForm(
            byte[] bytes, int from, int to, boolean takesAmbiguous) {
        boolean isThere =
                takesAmbiguous
                        ? Authority.isHost(bytes, from, to)
                        : Authority.isHostAndPort(bytes, from, to);
        if (!isThere) {
            return BAD_AUTHORITY;
        }
        String authority = text(bytes, from, to);
        return new RequestTarget(RequestTarget.Form.AUTHORITY, authority, "/", null, authority);
    }

    private static ParsedTarget absoluteForm(
            byte[] bytes, int from, int to, boolean takesAmbiguous) {
        int at = afterScheme(bytes, from, to);
        if (at < 0) {
            return NO_FORM;
        }
        int end = at;
        while (end < to && bytes[end] != '/' && bytes[end] != '?' && bytes[end] != '#') {
            end++;
        }
        if (!Authority.isHost(bytes, takesAmbiguous ? afterUser(bytes, at, end) : at, end)) {
            return BAD_AUTHORITY;
        }
        return pathAndQuery(bytes, from, end, to, takesAmbiguous);
    }

    /// Returns the start of the host: after the user information, if there is valid one (RFC 3986,
    /// section 3.2.1), else `from`.
    private static int afterUser(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '@') {
            at++;
        }
        return at < to && Authority.isUser(bytes, from, at) ? at + 1 : from;
    }

    /// Returns the start of the authority, or -1 if there is no `http://` or `https://`.
    private static int afterScheme(byte[] bytes, int from, int to) {
        int at = from;
        for (int i = 0; i < 4; i++, at++) {
            if (at >= to || (bytes[at] | 0x20) != "http".charAt(i)) {
                return -1;
            }
        }
        if (at < to && (bytes[at] | 0x20) == 's') {
            at++;
        }
        boolean isThere =
                to - at >= 3 && bytes[at] == ':' && bytes[at + 1] == '/' && bytes[at + 2] == '/';
        return isThere ? at + 3 : -1;
    }

    /// @param at the start of the path or query: `from`, or after the authority in absolute form
    private static ParsedTarget pathAndQuery(
            byte[] bytes, int from, int at, int to, boolean takesAmbiguous) {
        int end = pathEnd(bytes, at, to);
        if (end < 0 || !isQuery(bytes, end + 1, to)) {
            return BAD_CHARACTER;
        }
        String query = end < to ? text(bytes, end + 1, to) : null;
        if (at == from && isPlain(bytes, at, end)) {
            return new RequestTarget(
                    RequestTarget.Form.ORIGIN, null, text(bytes, at, end), query, null);
        }
        var decoder = new PathDecoder(bytes, at, end, takesAmbiguous);
        String path = decoder.decode();
        if (path == null) {
            return decoder.error();
        }
        String raw = text(bytes, from, to);
        if (at == from) {
            return new RequestTarget(RequestTarget.Form.ORIGIN, raw, path, query, null);
        }
        String authority = raw.substring(raw.indexOf("//") + 2, at - from);
        authority = authority.substring(authority.indexOf('@') + 1);
        return new RequestTarget(RequestTarget.Form.ABSOLUTE, raw, path, query, authority);
    }

    /// Returns the index of the question mark, or `to`; -1 if a character before it is not allowed
    /// in a path.
    private static int pathEnd(byte[] bytes, int at, int to) {
        for (int i = at; i < to; i++) {
            byte c = bytes[i];
            if (c == '?') {
                return i;
            }
            if (c < 0 || (ALLOWED[c] & IN_PATH) == 0) {
                return -1;
            }
        }
        return to;
    }

    private static boolean isQuery(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c < 0 || (ALLOWED[c] & IN_QUERY) == 0) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether the path needs no decoding: no percent code, no `//`, no segment that begins
    /// with a dot.
    private static boolean isPlain(byte[] bytes, int from, int to) {
        byte before = 0;
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c == '%' || before == '/' && (c == '/' || c == '.')) {
                return false;
            }
            before = c;
        }
        return true;
    }

    private static byte[] allowed() {
        var allowed = new byte[128];
        for (char c = 0; c < 128; c++) {
            if (Authority.isUnreserved(c)) {
                allowed[c] = IN_PATH | IN_QUERY;
            }
        }
        // pchar and the slash (RFC 3986, section 3.3), then the characters outside the URL
        // Standard's path percent-encode set.
        add(allowed, "!$&'()*+,;=:@/%", IN_PATH);
        add(allowed, "[]|", IN_PATH);
        // RFC 3986, section 3.4, then the characters outside the query percent-encode set.
        add(allowed, "!$&'()*+,;=:@/?%", IN_QUERY);
        add(allowed, "[]{}|^\\`", IN_QUERY);
        return allowed;
    }

    private static void add(byte[] allowed, String characters, byte place) {
        for (int i = 0; i < characters.length(); i++) {
            allowed[characters.charAt(i)] |= place;
        }
    }

    private static Invalid invalid(String reason) {
        return new Invalid(MalformedMessage.badRequest(reason));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
