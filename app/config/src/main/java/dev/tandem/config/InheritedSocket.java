package dev.tandem.config;

import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A listening socket that was open when the process was started.
///
/// @param name by which a configuration may refer to it, as `systemd:NAME`; a listener with its
///     address uses it in any case
public record InheritedSocket(String name, Listener listener) {
    /// The name of each socket that another process has handed over.
    static final String HANDED_OVER = "handover";

    /// systemd's first descriptor.
    private static final int FIRST = 3;

    /// An upper bound for plausible values.
    private static final int COUNT_MAX = 1000;

    /// Returns the sockets that systemd's socket activation passed to this process
    /// (`sd_listen_fds(3)`); none if it passed none, or passed them to another process.
    ///
    /// @param variables of the environment
    /// @param pid of this process
    /// @throws IOException if one is not a listening stream socket, or this network cannot adopt
    ///     sockets
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

    /// Returns one that another process has handed over, without the name that it had there.
    public static InheritedSocket handedOver(Listener listener) {
        return new InheritedSocket(HANDED_OVER, listener);
    }

    static Listener adopt(Network network, int descriptor) throws IOException {
        try {
            return network.adopt(descriptor);
        } catch (UnsupportedOperationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
