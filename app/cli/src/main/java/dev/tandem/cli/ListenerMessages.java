package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.StartMessage;
import dev.tandem.config.Address;
import dev.tandem.config.ConfiguredServer;
import dev.tandem.config.ListenSettings;
import dev.tandem.net.Listener;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/// Messages printed when a configured server listens: a line for each listener. After the last one
/// the server accepts requests.
record ListenerMessages(Terminal terminal, ConfiguredServer served) {

    /// @param sites a line for each, to be printed after the listeners; may be empty
    void print(String what, List<String> sites) {
        Server server = served.server();
        List<ListenSettings> settings = served.configuration().listeners();
        List<Listener> open = server.listeners();
        String by = " (" + server.network() + ")";
        if (settings.getFirst().tls().isEmpty()
                && settings.getFirst().address() instanceof Address.Inet(String host, int port)) {
            new StartMessage(new Listen(host, port), what).print(terminal, server);
        } else {
            line(text(settings.getFirst(), open.getFirst().localAddress()) + " " + what + by);
            String management = StartMessage.management(server);
            if (!management.isEmpty()) {
                line(management);
            }
        }
        for (int i = 1; i < settings.size(); i++) {
            String tls =
                    settings.get(i).tls().isPresent()
                            ? " over TLS (" + server.tlsEngine() + ")"
                            : "";
            line(text(settings.get(i), open.get(i).localAddress()) + " the same" + tls);
        }
        sites.forEach(site -> line("  " + site));
        terminal.out().flush();
    }

    private void line(String text) {
        terminal.out().println("tandem: " + text);
    }

    private static String text(ListenSettings settings, SocketAddress local) {
        if (!(local instanceof InetSocketAddress inet)) {
            return "unix:" + local;
        }
        String host =
                settings.address() instanceof Address.Inet(String name, var _)
                        ? name
                        : inet.getAddress().getHostAddress();
        String url = new Listen(host, inet.getPort()).url(inet.getPort());
        return settings.tls().isPresent() ? url.replaceFirst("http:", "https:") : url;
    }
}
