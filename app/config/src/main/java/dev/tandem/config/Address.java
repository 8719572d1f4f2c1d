package dev.tandem.config;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An address to listen on.
public sealed interface Address {
    /// The accepted forms, for messages.
    String FORM =
            "ADDR:PORT such as 0.0.0.0:80 or [::1]:8080, unix:/PATH, or systemd:NAME for a socket"
                    + " that the process was started with";

    /// An internet address.
    ///
    /// @param host a name or address of this machine, without brackets
    /// @param port 0 to 65,535; 0 for a free one
    record Inet(String host, int port) implements Address {
        @Override
        public SocketAddress socket() {
            return new InetSocketAddress(host, port);
        }

        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /// A Unix-domain socket.
    record Unix(Path path) implements Address {
        @Override
        public SocketAddress socket() {
            return UnixDomainSocketAddress.of(path);
        }

        @Override
        public String toString() {
            return "unix:" + path;
        }
    }

    /// A socket that was open when the process was started.
    ///
    /// @param name `FileDescriptorName=` of the socket's unit, else that unit's name
    record Inherited(String name) implements Address {
        @Override
        public String toString() {
            return "systemd:" + name;
        }
    }

    /// Parses one of the forms of [#FORM].
    ///
    /// @throws IllegalArgumentException if it has none of them
    static Address parse(String text) {
        if (text.startsWith("unix:/")) {
            return new Unix(Path.of(text.substring("unix:".length())));
        }
        if (text.startsWith("systemd:") && text.length() > "systemd:".length()) {
            return new Inherited(text.substring("systemd:".length()));
        }
        Matcher inet = AddressForms.INET.matcher(text);
        if (inet.matches()) {
            int port = Integer.parseInt(inet.group(3));
            if (port <= 65_535) {
                String bracketed = inet.group(1);
                return new Inet(bracketed == null ? inet.group(2) : bracketed, port);
            }
        }
        throw new IllegalArgumentException("it is not " + FORM);
    }

    /// Returns the address of a socket, resolving a host's name.
    ///
    /// @throws IllegalStateException if only the inherited socket knows it
    default SocketAddress socket() {
        throw new IllegalStateException("socket " + this + " has an address itself");
    }
}

/// Loaded only when a text is parsed.
final class AddressForms {
    /// An IPv6 address is in brackets.
    static final Pattern INET = Pattern.compile("(?:\\[([^\\]]+)]|([^:\\[\\]]+)):([0-9]{1,5})");

    private AddressForms() {}
}
