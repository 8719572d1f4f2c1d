package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.Greeting;
import dev.tandem.cli.serving.Listen;
import dev.tandem.config.Address;
import dev.tandem.config.ConfiguredServer;
import dev.tandem.config.ListenSettings;
import dev.tandem.net.Listener;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/// What is printed once a configured server listens: a line for each listener. From the last one
/// on, requests are answered.
record Listening(Terminal terminal, ConfiguredServer served) {

    void print(String what) {
        Server server = served.server();
        List<ListenSettings> told = served.told().listeners();
        List<Listener> open = server.listeners();
        String by = " (" + server.network() + ")";
        if (told.getFirst().tls().isEmpty()
                && told.getFirst().address() instanceof Address.Inet(String host, int port)) {
            new Greeting(new Listen(host, port), what).print(terminal, server);
        } else {
            line(text(told.getFirst(), open.getFirst().localAddress()) + " " + what + by);
        }
        for (int i = 1; i < told.size(); i++) {
            String tls =
                    told.get(i).tls().isPresent() ? " over TLS (" + server.tlsEngine() + ")" : "";
            line(text(told.get(i), open.get(i).localAddress()) + " the same" + tls);
        }
        terminal.out().flush();
    }

    private void line(String text) {
        terminal.out().println("tandem: " + text);
    }

    private static String text(ListenSettings told, SocketAddress local) {
        if (!(local instanceof InetSocketAddress inet)) {
            return "unix:" + local;
        }
        String host =
                told.address() instanceof Address.Inet(String name, var _)
                        ? name
                        : inet.getAddress().getHostAddress();
        String url = new Listen(host, inet.getPort()).url(inet.getPort());
        return told.tls().isPresent() ? url.replaceFirst("http:", "https:") : url;
    }
}
