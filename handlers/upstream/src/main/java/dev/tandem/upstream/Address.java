package dev.tandem.upstream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The address of an upstream: `host:port`, `[::1]:port`, or `unix:/path`. Immutable.
///
/// @param text as it was written
/// @param host name or IP address, empty for a Unix socket
/// @param port 1 to 65,535; 0 for a Unix socket
/// @param path of a Unix socket, otherwise empty
public record Address(String text, String host, int port, String path) {
    private static final String UNIX = "unix:";

    /// @throws IllegalArgumentException if it is malformed
    public static Address of(String text) {
        if (text.startsWith(UNIX)) {
            String path = text.substring(UNIX.length());
            if (!path.startsWith("/")) {
                throw malformed(text);
            }
            try {
                UnixDomainSocketAddress.of(path);
            } catch (InvalidPathException e) {
                throw malformed(text);
            }
            return new Address(text, "", 0, path);
        }
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        String bare = isBracketed ? host.substring(1, host.length() - 1) : host;
        boolean isHost = !bare.isEmpty() && (isBracketed || bare.indexOf(':') < 0);
        int port = port(text.substring(colon + 1));
        if (!isHost || port == 0 || bare.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '@')) {
            throw malformed(text);
        }
        return new Address(text, bare, port, "");
    }

    private static int port(String text) {
        boolean isNumber = text.matches("[0-9]{1,5}");
        int port = isNumber ? Integer.parseInt(text) : 0;
        return port > 65_535 ? 0 : port;
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "an upstream's address must be host:port, [IPv6]:port or unix:/path, was '"
                        + text
                        + "'");
    }

    boolean isUnix() {
        return !path.isEmpty();
    }

    /// Returns the address of a Unix socket, or of a host that is an IP address; null if the host
    /// is a name, which must be resolved.
    @Nullable SocketAddress literal() {
        if (isUnix()) {
            return UnixDomainSocketAddress.of(path);
        }
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(host), port);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /// Resolves the host name, each time again, since its addresses may change. May block.
    ///
    /// @return all its addresses, in the order of the system; at least one
    /// @throws IOException if the name has no address
    List<SocketAddress> resolve() throws IOException {
        if (isUnix()) {
            return List.of(UnixDomainSocketAddress.of(path));
        }
        return Stream.of(InetAddress.getAllByName(host))
                .<SocketAddress>map(found -> new InetSocketAddress(found, port))
                .toList();
    }

    /// Returns [#text()].
    @Override
    public String toString() {
        return text;
    }
}
