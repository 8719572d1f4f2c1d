package dev.tandem.http.websocket;

import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/// A client's request to begin a session (RFC 6455, sections 4.1 and 4.2).
///
/// @param accept the value of the response's `Sec-WebSocket-Accept`; empty if it has none
/// @param protocols subprotocols that the client offers, the preferred one first
/// @param extensions that the client offers, joined by commas
public record Handshake(String accept, List<String> protocols, String extensions) {
    private static final String VERSION = "13";

    /// Appended to the client's key, so that the response cannot come from a server that does not
    /// know the protocol.
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;

    /// Whether a request asks for a session: with `Connection: upgrade` and `Upgrade: websocket`.
    public static boolean isRequested(Headers headers) {
        return headers.hasToken("upgrade", "websocket")
                && headers.hasToken("connection", "upgrade");
    }

    /// Reads a request over HTTP/1.1.
    ///
    /// @throws HttpException 426 if the version is another, 400 if the key is invalid
    public static Handshake of(Headers headers) throws HttpException {
        List<String> versions = headers.all("sec-websocket-version");
        if (!versions.equals(List.of(VERSION))) {
            throw new HttpException(426, "Sec-WebSocket-Version must be 13, was " + versions);
        }
        List<String> keys = headers.all("sec-websocket-key");
        if (keys.size() != 1 || !isKey(keys.getFirst().strip())) {
            throw new HttpException(400, "Sec-WebSocket-Key must be 16 bytes in base64");
        }
        return of(accept(keys.getFirst().strip()), headers);
    }

    /// Reads an extended CONNECT request over HTTP/2, which has no key: its frames cannot be
    /// mistaken for a request by a server that does not know the protocol (RFC 8441, section 5).
    ///
    /// @throws HttpException 400 if the version is another
    public static Handshake ofConnect(Headers headers) throws HttpException {
        List<String> versions = headers.all("sec-websocket-version");
        if (!versions.equals(List.of(VERSION))) {
            throw new HttpException(400, "sec-websocket-version must be 13, was " + versions);
        }
        return of("", headers);
    }

    private static Handshake of(String accept, Headers headers) {
        return new Handshake(
                accept,
                elements(headers, "sec-websocket-protocol"),
                String.join(",", headers.all("sec-websocket-extensions")));
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Returns the response to a key.
    public static String accept(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /// Whether a page of an origin may begin a session, if the handler names none: pages of the
    /// same host and port only, since browsers send cookies with requests from any page. Where the
    /// session is known to be over TLS, its page must be, too: any other can be made by those who
    /// have the client's network. Browsers begin no session without TLS from a page with it, so
    /// that one that seems to be such came by a proxy.
    ///
    /// @param origin the request's `Origin`; empty if there is none, as from programs
    /// @param host the request's host, with its port if it has one
    /// @param isSecure whether the client is known to have sent the request over TLS
    public static boolean isSameOrigin(String origin, String host, boolean isSecure) {
        if (origin.isEmpty()) {
            return true;
        }
        int end = origin.indexOf("://");
        if (end <= 0) {
            return false;
        }
        String scheme = origin.substring(0, end).toLowerCase(Locale.ROOT);
        boolean isOverTls = scheme.equals("https");
        String port = isOverTls ? ":443" : ":80";
        return (isOverTls || !isSecure)
                && authority(origin.substring(end + 3), port).equals(authority(host, port));
    }

    /// Without the scheme's own port, which browsers leave out, and some proxies add.
    private static String authority(String named, String port) {
        String lower = named.toLowerCase(Locale.ROOT);
        return lower.endsWith(port) ? lower.substring(0, lower.length() - port.length()) : lower;
    }

    private static List<String> elements(Headers headers, String name) {
        return headers.all(name).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }
}
