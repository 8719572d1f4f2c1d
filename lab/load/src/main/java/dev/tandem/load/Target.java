package dev.tandem.load;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/// The server to load.
///
/// @param host its name, for `Host` and TLS
/// @param address its address
/// @param isTls whether connections use TLS
public record Target(String host, InetSocketAddress address, boolean isTls) {

    /// @param uri such as `http://127.0.0.1:8080`; everything after the authority is ignored
    /// @throws IllegalArgumentException if it is no such URI, or its host has no address
    public static Target of(String uri) {
        URI parsed = parse(uri);
        String scheme = String.valueOf(parsed.getScheme());
        boolean isTls = scheme.equals("https");
        String host = parsed.getHost();
        if (host == null || !isTls && !scheme.equals("http")) {
            throw new IllegalArgumentException(
                    "'" + uri + "' is not http://HOST[:PORT]/... or https://HOST[:PORT]/...");
        }
        int port = parsed.getPort() >= 0 ? parsed.getPort() : isTls ? 443 : 80;
        return of(host, port, isTls);
    }

    /// @param host a name, or an address; one of 16 bytes with or without brackets
    /// @throws IllegalArgumentException if it has no address
    public static Target of(String host, int port, boolean isTls) {
        try {
            var address = new InetSocketAddress(InetAddress.getByName(host), port);
            return new Target(host, address, isTls);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address is known for host '" + host + "'", e);
        }
    }

    /// Returns the path and query of such a URI.
    ///
    /// @throws IllegalArgumentException if it is none
    public static String path(String uri) {
        URI parsed = parse(uri);
        String path = parsed.getRawPath();
        String query = parsed.getRawQuery();
        return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
    }

    private static URI parse(String uri) {
        try {
            return new URI(uri);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + uri + "' is not a URI: " + e.getReason(), e);
        }
    }

    /// Whether it is this machine's own loopback, which may always be loaded.
    public boolean isLoopback() {
        return address.getAddress().isLoopbackAddress();
    }

    /// The value of `Host`: without the port if that is the scheme's default.
    String authority() {
        boolean isBare = host.indexOf(':') >= 0 && !host.startsWith("[");
        String name = isBare ? "[" + host + "]" : host;
        int usual = isTls ? 443 : 80;
        return address.getPort() == usual ? name : name + ":" + address.getPort();
    }
}
