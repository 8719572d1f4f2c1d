package dev.tandem.http;

/// The syntax of `host` and `host:port` (RFC 3986, section 3.2; RFC 9110, section 7.2) in Host
/// headers and request targets. User information is not part of it. Nor are percent codes, which no
/// name of DNS has: a program that decodes them would take the request for one to another site.
public final class Authority {
    private static final int PORT_MAX = 65_535;

    private Authority() {}

    /// Returns whether `bytes[from..to)` is a non-empty host with an optional port, as in a Host
    /// header. The port may be empty (`host:`), as the RFC permits.
    public static boolean isHost(byte[] bytes, int from, int to) {
        int end = hostEnd(bytes, from, to);
        return end > from && (end == to || isPort(bytes, end, to));
    }

    /// Returns whether the bytes are a host with a port of at least one digit, the form that
    /// CONNECT requires.
    static boolean isHostAndPort(byte[] bytes, int from, int to) {
        int end = hostEnd(bytes, from, to);
        return end > from && to - end > 1 && isPort(bytes, end, to);
    }

    /// Returns whether all characters are allowed in user information. Percent codes are not
    /// checked, because they are never decoded.
    static boolean isUser(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isUnreserved(bytes[i]) && "!$&'()*+,;=:%".indexOf(bytes[i]) < 0) {
                return false;
            }
        }
        return true;
    }

    static boolean isUnreserved(int c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    /// Returns the end of the host, or -1 if it is malformed.
    private static int hostEnd(byte[] bytes, int from, int to) {
        if (from < to && bytes[from] == '[') {
            return literalEnd(bytes, from, to);
        }
        int i = from;
        while (i < to && bytes[i] != ':') {
            if (!isUnreserved(bytes[i]) && "!$&'()*+,;=".indexOf(bytes[i]) < 0) {
                return -1;
            }
            i++;
        }
        return i;
    }

    /// Returns the position after the closing bracket of `[2001:db8::1]`. The content is checked
    /// for its characters and for a colon, but not for being a valid address: the server does not
    /// connect to it.
    private static int literalEnd(byte[] bytes, int from, int to) {
        boolean hasColon = false;
        for (int i = from + 1; i < to; i++) {
            byte c = bytes[i];
            if (c == ']') {
                return hasColon ? i + 1 : -1;
            }
            if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
                return -1;
            }
            hasColon |= c == ':';
        }
        return -1;
    }

    /// @param colon the expected position of the colon
    private static boolean isPort(byte[] bytes, int colon, int to) {
        if (bytes[colon] != ':' || to - colon > 6) {
            return false;
        }
        int port = 0;
        for (int i = colon + 1; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
            port = port * 10 + bytes[i] - '0';
        }
        return port <= PORT_MAX;
    }
}
