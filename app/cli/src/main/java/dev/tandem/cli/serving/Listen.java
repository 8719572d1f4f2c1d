package dev.tandem.cli.serving;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Option;

/// An address to listen on.
///
/// @param host a name or address of this machine, without brackets
/// @param port 0 to 65,535; 0 takes one that is free
public record Listen(String host, int port) {
    /// The listening address of a command's server.
    public static final Option OPTION =
            new Option(
                    "--listen",
                    "ADDR:PORT",
                    "127.0.0.1:8080",
                    "the address; port 0 for a free one");

    private static final String FORM = "ADDR:PORT, such as 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:0";

    /// Parses `ADDR:PORT`; an IPv6 address is in brackets.
    ///
    /// @throws IllegalArgumentException if it is malformed; names the value and the form
    public static Listen parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("'" + text + "' is not " + FORM);
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not " + FORM + ": an IPv6 address needs brackets");
        }
        int port = port(text.substring(colon + 1));
        if (host.isEmpty() || port < 0) {
            throw new IllegalArgumentException("'" + text + "' is not " + FORM);
        }
        return new Listen(host, port);
    }

    /// Returns the value of an option of this form.
    ///
    /// @throws dev.tandem.cli.command.Failure if it is malformed
    public static Listen of(Arguments arguments, Option option) {
        try {
            return parse(arguments.value(option));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(option.name() + " " + e.getMessage());
        }
    }

    /// Accepts digits only: `Integer.parseInt` would accept `+80`. Returns -1 if it is not a port.
    private static int port(String text) {
        if (text.isEmpty() || text.length() > 5) {
            return -1;
        }
        int port = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            port = 10 * port + (c - '0');
        }
        return port <= 65_535 ? port : -1;
    }

    /// Returns the address as it was given.
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /// Returns the URL with the port that is bound.
    ///
    /// @param bound the port, 1 to 65,535
    public String url(int bound) {
        boolean isEverywhere = host.equals("0.0.0.0") || host.equals("::");
        return "http://" + new Listen(isEverywhere ? "localhost" : host, bound) + "/";
    }
}
