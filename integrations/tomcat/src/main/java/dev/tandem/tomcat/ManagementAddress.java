package dev.tandem.tomcat;

import dev.tandem.Tandem;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The address of a connector's management endpoints: the attributes `manage` and `manageToken`.
///
/// @param address `ADDR:PORT`, or `unix:/PATH`
/// @param token required from its clients; null for none
record ManagementAddress(String address, @Nullable String token) {
    private static final String UNIX = "unix:";
    private static final Pattern INET = Pattern.compile("(?:\\[(.+)]|([^:]+)):(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    /// @throws IllegalArgumentException if the address is malformed, or reachable from other
    ///     machines without a token; says which
    void addTo(Tandem tandem) {
        try {
            if (token != null && token.startsWith("${")) {
                throw new IllegalArgumentException("the token " + token + " is not resolved");
            }
            if (token != null) {
                tandem.manageToken(token);
            }
            if (address.startsWith(UNIX + "/")) {
                tandem.manage(Path.of(address.substring(UNIX.length())));
            } else {
                addInet(tandem);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("manage=\"" + address + "\": " + e.getMessage(), e);
        }
    }

    private void addInet(Tandem tandem) {
        Matcher inet = INET.matcher(address);
        if (!inet.matches() || Integer.parseInt(inet.group(3)) > PORT_MAX) {
            throw new IllegalArgumentException("must be ADDR:PORT or unix:/PATH");
        }
        String host = inet.group(1) == null ? inet.group(2) : inet.group(1);
        int port = Integer.parseInt(inet.group(3));
        if (token == null) {
            tandem.manage(host, port);
        } else {
            tandem.manageOpenly(host, port);
        }
    }
}
