package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Terminal;
import java.util.ArrayList;
import java.util.List;

/// `tandem explain`: shows the limits of a running server, with their reasons.
///
/// @param terminal where they are shown
record ExplainCommand(Terminal terminal) {
    private static final String TYPE = "text/tab-separated-values";

    private static final String GAP = "  ";

    /// One line of the server's response.
    private record Limit(String name, String value, String why, String section) {}

    Command command() {
        return new Command(
                "explain",
                "",
                "shows what a running server decides, and why",
                List.of("The server must have been started with --manage ADDR:PORT or unix:/PATH."),
                List.of(ManagementClient.SERVER, ManagementClient.TOKEN),
                this::run);
    }

    private void run(Arguments arguments) {
        var server = ManagementClient.of(arguments);
        print(read(server, server.get("/explain", TYPE)));
    }

    private static List<Limit> read(ManagementClient server, String text) {
        var limits = new ArrayList<Limit>();
        for (String line : text.split("\n", -1)) {
            String[] fields = line.split("\t", -1);
            if (fields.length == 3 || fields.length == 4) {
                // A server of an earlier version has no sections.
                String section = fields.length == 4 ? plain(fields[3]) : "";
                limits.add(
                        new Limit(plain(fields[0]), plain(fields[1]), plain(fields[2]), section));
            } else if (!line.isEmpty()) {
                throw server.notManagement();
            }
        }
        return limits;
    }

    /// Removes control characters, by which a server could control the terminal.
    private static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x80-\\x9f]", "?");
    }

    private void print(List<Limit> limits) {
        int names = limits.stream().mapToInt(limit -> limit.name().length()).max().orElse(0);
        int values = limits.stream().mapToInt(limit -> limit.value().length()).max().orElse(0);
        var text = new StringBuilder();
        String section = "";
        for (Limit limit : limits) {
            if (!limit.section().equals(section)) {
                section = limit.section();
                text.append('\n').append(terminal.bold(section)).append('\n');
            }
            text.append(terminal.accent(limit.name()))
                    .append(" ".repeat(names - limit.name().length()))
                    .append(GAP)
                    .append(" ".repeat(values - limit.value().length()))
                    .append(terminal.bold(limit.value()))
                    .append(GAP)
                    .append(terminal.dim(limit.why()))
                    .append('\n');
        }
        terminal.out().print(text);
        terminal.out().flush();
    }
}
