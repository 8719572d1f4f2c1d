package dev.tandem.http;

import dev.tandem.http.ParsedTarget.Refused;
import java.nio.charset.StandardCharsets;

/// Takes a request target apart. One pass over the bytes; the path is decoded only where it has
/// something to decode.
final class TargetParser {
    private static final byte IN_PATH = 1;
    private static final byte IN_QUERY = 2;
    private static final byte[] ALLOWED = allowed();

    private static final Refused EMPTY = refused("empty request target");
    private static final Refused NO_FORM = refused("request target of no known form");
    private static final Refused ASTERISK_ONLY_OPTIONS =
            refused("request target * with a method other than OPTIONS");
    private static final Refused BAD_AUTHORITY = refused("malformed authority in request target");
    private static final Refused BAD_CHARACTER = refused("character not allowed in request target");

    private static final Target ASTERISK = new Target(Target.Form.ASTERISK, "*", "/", null, null);

    private TargetParser() {}

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
        return new Target(Target.Form.AUTHORITY, authority, "/", null, authority);
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

    /// Where the host begins: after the user, if one is named, of characters that may be there
    /// (RFC 3986, section 3.2.1), or else at what is no host's beginning.
    private static int afterUser(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '@') {
            at++;
        }
        return at < to && Authority.isUser(bytes, from, at) ? at + 1 : from;
    }

    /// Where the authority begins, or -1 if there is no `http://` or `https://`.
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

    /// @param at where path or query begin: `from`, or after the authority in an absolute form
    private static ParsedTarget pathAndQuery(
            byte[] bytes, int from, int at, int to, boolean takesAmbiguous) {
        int end = pathEnd(bytes, at, to);
        if (end < 0 || !isQuery(bytes, end + 1, to)) {
            return BAD_CHARACTER;
        }
        String query = end < to ? text(bytes, end + 1, to) : null;
        if (at == from && isPlain(bytes, at, end)) {
            return new Target(Target.Form.ORIGIN, null, text(bytes, at, end), query, null);
        }
        var decoder = new PathDecoder(bytes, at, end, takesAmbiguous);
        String path = decoder.decode();
        if (path == null) {
            return decoder.refused();
        }
        String raw = text(bytes, from, to);
        if (at == from) {
            return new Target(Target.Form.ORIGIN, raw, path, query, null);
        }
        String authority = raw.substring(raw.indexOf("//") + 2, at - from);
        authority = authority.substring(authority.indexOf('@') + 1);
        return new Target(Target.Form.ABSOLUTE, raw, path, query, authority);
    }

    /// The index of the question mark, or `to`; -1 if something before may not stand in a path.
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

    /// Whether the path means itself: no percent code, no `//`, no segment that begins with a dot.
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
        // pchar and the slash (RFC 3986, section 3.3), then what the URL Standard's path
        // percent-encode set leaves bare.
        add(allowed, "!$&'()*+,;=:@/%", IN_PATH);
        add(allowed, "[]|", IN_PATH);
        // RFC 3986, section 3.4, then what the query percent-encode set leaves bare.
        add(allowed, "!$&'()*+,;=:@/?%", IN_QUERY);
        add(allowed, "[]{}|^\\`", IN_QUERY);
        return allowed;
    }

    private static void add(byte[] allowed, String characters, byte place) {
        for (int i = 0; i < characters.length(); i++) {
            allowed[characters.charAt(i)] |= place;
        }
    }

    private static Refused refused(String reason) {
        return new Refused(Bad.request(reason));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
