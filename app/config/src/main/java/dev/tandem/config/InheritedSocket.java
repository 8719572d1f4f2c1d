package dev.tandem.config;

import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A listening socket that was open when the process was started.
///
/// @param name by which a configuration may ask for it, as `systemd:NAME`; whoever is to listen
///     at its address takes it in any case
public record InheritedSocket(String name, Listener listener) {
    /// Where systemd's sockets begin.
    private static final int FIRST = 3;

    /// More than anybody has.
    private static final int COUNT_MAX = 1000;

    /// Those that systemd's socket activation gave this process (`sd_listen_fds(3)`); none if it
    /// gave none, or gave them to another process.
    ///
    /// @param variables of the environment
    /// @param pid of this process
    /// @throws IOException if one is no listening stream socket, or this network takes on none
    public static List<InheritedSocket> fromSystemd(
            Map<String, String> variables, long pid, Network network) throws IOException {
        String count = variables.getOrDefault("LISTEN_FDS", "");
        boolean isOurs = Long.toString(pid).equals(variables.get("LISTEN_PID"));
        if (!isOurs || !count.matches("[0-9]{1,4}") || Integer.parseInt(count) > COUNT_MAX) {
            return List.of();
        }
        String[] names = variables.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
        var inherited = new ArrayList<InheritedSocket>();
        for (int i = 0; i < Integer.parseInt(count); i++) {
            String name = i < names.length && !names[i].isEmpty() ? names[i] : "unknown";
            inherited.add(new InheritedSocket(name, adopt(network, FIRST + i)));
        }
        return List.copyOf(inherited);
    }

    static Listener adopt(Network network, int descriptor) throws IOException {
        try {
            return network.adopt(descriptor);
        } catch (UnsupportedOperationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
