package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.Listen;
import dev.tandem.lab.PeerBehaviour;
import dev.tandem.lab.Peers;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// `tandem lab peers`: honest clients or attackers over HTTP/2 in clear text, of this machine only.
record PeersCommand(Terminal terminal) {
    private static final Option TO =
            new Option("--to", "ADDR:PORT", "127.0.0.1:8080", "the server, of this machine");
    private static final Option CONNECTIONS =
            new Option("--connections", "N", "20", "opened again when closed, 1 to 1000");
    private static final Option SECS = new Option("--secs", "N", "10", "how long, in seconds");

    private static final int LINE_LENGTH = 76;

    /// Interval of the lines that are printed.
    private static final int LINE_MILLIS = 500;

    Command command() {
        return new Command(
                "lab peers",
                "BEHAVIOUR",
                "attacks a server of this machine over HTTP/2",
                help(),
                List.of(TO, CONNECTIONS, SECS),
                this::run);
    }

    private static List<String> help() {
        var lines = new ArrayList<String>();
        lines.add("Prints how often the server has closed a connection, and how.");
        var line = new StringBuilder("BEHAVIOUR is");
        for (PeerBehaviour behaviour : PeerBehaviour.values()) {
            if (line.length() + behaviour.label().length() > LINE_LENGTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(behaviour.label()).append(',');
        }
        line.setCharAt(line.length() - 1, '.');
        lines.add(line.toString());
        return List.copyOf(lines);
    }

    private void run(Arguments arguments) {
        Listen to = Listen.of(arguments, TO);
        int connections = arguments.number(CONNECTIONS);
        if (connections < 1 || connections > 1000) {
            throw arguments.usageError("--connections must be 1..1000, was " + connections);
        }
        long end = System.nanoTime() + arguments.number(SECS) * 1_000_000_000L;
        try (Peers peers =
                Peers.start(
                        PeerBehaviour.named(arguments.operand()),
                        new InetSocketAddress(to.host(), to.port()),
                        connections)) {
            while (System.nanoTime() - end < 0) {
                Thread.sleep(LINE_MILLIS);
                terminal.out().println(peers.tally().line());
                terminal.out().flush();
            }
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
