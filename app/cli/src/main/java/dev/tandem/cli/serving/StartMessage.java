package dev.tandem.cli.serving;

import dev.tandem.Server;
import dev.tandem.cli.command.Terminal;
import dev.tandem.net.Listener;
import java.net.InetSocketAddress;

/// The message printed when a server listens and accepts requests.
///
/// @param listen the requested address
/// @param what the server does, as a phrase
public record StartMessage(Listen listen, String what) {

    /// Prints the line of a TLS listener.
    public static void printTls(Terminal terminal, Listen listen, Server server) {
        int port = server.addresses().getLast().getPort();
        String url = listen.url(port).replaceFirst("http:", "https:");
        String line = "tandem: " + url + " the same over TLS (" + server.tlsEngine() + ")";
        terminal.out().println(line);
        terminal.out().flush();
    }

    public void print(Terminal terminal, Server server) {
        String url = listen.url(server.port());
        String management = management(server);
        if (!terminal.isColoured()) {
            terminal.out().println("tandem: " + url + " " + what + " (" + server.network() + ")");
            if (!management.isEmpty()) {
                terminal.out().println("tandem: " + management);
            }
            return;
        }
        String arrow = terminal.accent(terminal.sign("➜", ">"));
        String dot = terminal.sign("·", "-");
        String says =
                "%s %s network: %s %s Ctrl-C stops it".formatted(what, dot, server.network(), dot);
        var text = new StringBuilder("\n");
        text.append("  %s  %s\n".formatted(arrow, terminal.bold(url)));
        text.append("     %s\n".formatted(terminal.dim(says)));
        if (!management.isEmpty()) {
            text.append("     %s\n".formatted(terminal.dim(management)));
        }
        terminal.out().print(text.append('\n'));
    }

    /// Returns where console and metrics are, as a phrase; empty if there is no such address.
    public static String management(Server server) {
        Listener at = server.managementListener();
        if (at == null) {
            return "";
        }
        String address =
                at.localAddress() instanceof InetSocketAddress inet
                        ? new Listen(inet.getAddress().getHostAddress(), inet.getPort())
                                .url(inet.getPort())
                        : "unix:" + at.localAddress();
        return address + " shows the console and metrics";
    }
}
