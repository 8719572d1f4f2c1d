package dev.tandem.cli;

import dev.tandem.server.Server;

/// What is printed once a server listens: from that line on, requests are answered.
///
/// @param listen what was asked for
/// @param what the server does, as a phrase
record Greeting(Listen listen, String what) {

    void print(Terminal terminal, Server server) {
        String url = listen.url(server.port());
        if (!terminal.isColoured()) {
            terminal.out().println("tandem: " + url + " " + what + " (" + server.network() + ")");
            return;
        }
        String arrow = terminal.accent(terminal.sign("➜", ">"));
        String dot = terminal.sign("·", "-");
        terminal.out()
                .print(
                        """

                          %s  %s
                             %s

                        """
                                .formatted(
                                        arrow,
                                        terminal.bold(url),
                                        terminal.dim(
                                                "%s %s network: %s %s Ctrl-C stops it"
                                                        .formatted(
                                                                what,
                                                                dot,
                                                                server.network(),
                                                                dot))));
    }
}
