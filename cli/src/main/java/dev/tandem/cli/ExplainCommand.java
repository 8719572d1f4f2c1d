package dev.tandem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// `tandem explain`: asks a server that runs for each of its limits, with its reason.
///
/// @param terminal where they are shown
record ExplainCommand(Terminal terminal) {
    private static final Option SERVER =
            new Option("--server", "ADDR:PORT", "127.0.0.1:8090", "its --manage address");

    private static final Option TOKEN =
            new Option("--token", "FILE", "", "that its --manage-token names");

    private static final String TYPE = "text/tab-separated-values";

    /// 5 s: a server that lives answers at once.
    private static final int PATIENCE_MILLIS = 5_000;

    /// 4 MiB: 2,000 routes at some 200 bytes, ten times over.
    private static final int BYTES_MAX = 4 << 20;

    private static final String GAP = "  ";

    /// One line of what a server says.
    private record Limit(String name, String value, String why) {}

    Command command() {
        return new Command(
                "explain",
                "",
                "says what a running server decides, and why",
                List.of("The server must have been started with --manage ADDR:PORT."),
                List.of(SERVER, TOKEN),
                this::run);
    }

    private void run(Arguments arguments) {
        Listen server = Listen.of(arguments, SERVER);
        String token = arguments.has(TOKEN) ? Commands.token(Commands.path(arguments, TOKEN)) : "";
        print(read(server, ask(server, token)));
    }

    private static String ask(Listen server, String token) {
        try {
            var url = new URI("http", null, server.host(), server.port(), "/explain", null, null);
            var connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("Accept", TYPE);
            if (!token.isEmpty()) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            int status = connection.getResponseCode();
            if (status == 401) {
                throw Failure.failed(server + " wants its token: --token FILE");
            }
            String type = String.valueOf(connection.getContentType());
            if (status != 200 || !type.startsWith(TYPE)) {
                throw stranger(server);
            }
            try (InputStream in = connection.getInputStream()) {
                return new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
            }
        } catch (ConnectException e) {
            throw Failure.failed(
                    "nothing listens at "
                            + server
                            + "; "
                            + "start the server with --manage "
                            + server);
        } catch (SocketTimeoutException e) {
            throw Failure.failed(
                    server + " did not answer within " + PATIENCE_MILLIS / 1_000 + " s");
        } catch (IOException | URISyntaxException | IllegalArgumentException e) {
            throw Failure.failed("cannot ask " + server + ": " + e.getMessage());
        }
    }

    private static Failure stranger(Listen server) {
        return Failure.failed(
                "what listens at "
                        + server
                        + " is no management address; a server prints its own when it is started"
                        + " with --manage ADDR:PORT");
    }

    private static List<Limit> read(Listen server, String text) {
        var limits = new ArrayList<Limit>();
        for (String line : text.split("\n", -1)) {
            String[] fields = line.split("\t", -1);
            if (fields.length == 3) {
                limits.add(new Limit(plain(fields[0]), plain(fields[1]), plain(fields[2])));
            } else if (!line.isEmpty()) {
                throw stranger(server);
            }
        }
        return limits;
    }

    /// Whoever answers must not command the terminal.
    private static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x80-\\x9f]", "?");
    }

    private void print(List<Limit> limits) {
        int names = limits.stream().mapToInt(limit -> limit.name().length()).max().orElse(0);
        int values = limits.stream().mapToInt(limit -> limit.value().length()).max().orElse(0);
        var text = new StringBuilder();
        for (Limit limit : limits) {
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
