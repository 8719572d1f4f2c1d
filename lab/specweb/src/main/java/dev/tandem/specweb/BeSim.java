package dev.tandem.specweb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// SPECweb2005's back-end simulator, as a process of its own: the data of a bank's or a shop's
/// database, generated from the query, so that the same query always gets the same response.
///
/// A query is `GET /besim?WORKLOAD&COMMAND[&PARAMETER…]`; the response is a page with a line of
/// status, 0 for success, and lines of data between `<pre>` and `</pre>`, their fields separated by
/// `&`. That form and command 4 of the bank are the benchmark's; the data of the other commands is
/// ours.
public final class BeSim {
    private static final int LINES = 8;
    private static final int BACKLOG = 1_024;

    private static final String GOOD = "0\n";
    private static final String REJECTED = "1\n";
    private static final String RESET = "0";

    /// The bank's pictures of cheques.
    private static final String CHECK = "4";

    /// Limits the cost of a response to the length of its query.
    private static final int PARAMETERS_MAX = 16;

    private BeSim() {}

    /// @param words the port on the loopback; 0 takes a free one, which is printed
    public static void main(String[] words) throws IOException {
        HttpServer server = start(Integer.parseInt(words[0]));
        System.out.println("besim listens at port " + server.getAddress().getPort());
    }

    /// @param port on the loopback; 0 takes a free one
    static HttpServer start(int port) throws IOException {
        // Otherwise a response in two pieces waits for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpServer server = HttpServer.create(address, BACKLOG);
        server.createContext("/besim", BeSim::serve);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return server;
    }

    private static void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = exchange.getRequestURI().getRawQuery();
            byte[] page = page(query == null ? "" : query).getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
        }
    }

    /// Returns the whole response.
    static String page(String query) {
        return "<html><head><title>SPECweb2005 BESIM</title></head><body>\n"
                + "<p>SERVER_SOFTWARE = besim</p>\n"
                + "<p>SCRIPT_NAME = /besim</p>\n"
                + "<pre>\n"
                + data(query)
                + "</pre></body></html>\n";
    }

    /// Returns the status and the lines.
    private static String data(String query) {
        String[] parts = query.split("&", -1);
        Site site = parts.length < 2 || parts.length > PARAMETERS_MAX ? null : site(parts[0]);
        if (site == null) {
            return REJECTED;
        }
        if (parts[1].equals(RESET)) {
            return GOOD; // there is no state to reset
        }
        if (site == Site.BANKING && parts[1].equals(CHECK)) {
            return parts.length == 4 ? check(parts[2], parts[3]) : REJECTED;
        }
        for (Screen screen : Screens.ALL) {
            if (screen.site() == site && String.valueOf(screen.command()).equals(parts[1])) {
                return GOOD + lines(screen.heads(), query);
            }
        }
        return REJECTED;
    }

    private static @Nullable Site site(String number) {
        for (Site site : Site.values()) {
            if (String.valueOf(site.workload()).equals(number)) {
                return site;
            }
        }
        return null;
    }

    /// Returns where the pictures of a cheque are, in the benchmark's format.
    private static String check(String user, String number) {
        if (!user.matches("[0-9]{1,10}") || !number.matches("[0-9]{1,6}")) {
            return REJECTED;
        }
        String folder = "/user%010d/".formatted(Long.parseLong(user));
        String file = "%06d".formatted(Integer.parseInt(number));
        return "0\n%010d&%sCIF%s&%sCIB%s\n"
                .formatted(Long.parseLong(user), folder, file, folder, file);
    }

    /// Returns a line for each of [#LINES], a field under each head.
    private static String lines(List<String> heads, String query) {
        var text = new StringBuilder();
        for (int line = 1; line <= LINES; line++) {
            for (int i = 0; i < heads.size(); i++) {
                long drawn = (query.hashCode() * 31L + line) * 0x9e3779b97f4a7c15L >>> 40;
                text.append(i == 0 ? "" : "&").append(field(heads.get(i), line, drawn));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String field(String head, int line, long drawn) {
        return switch (head) {
            case "Balance", "Amount", "Price" -> drawn % 10_000 + "." + (10 + drawn % 90);
            case "Date", "Last paid", "Last seen", "Arrives" ->
                    "2026-%02d-%02d".formatted(1 + drawn % 12, 1 + drawn % 28);
            case "Size" -> drawn + " bytes";
            case "Pieces", "Days", "In stock", "Products" -> String.valueOf(1 + drawn % 40);
            default -> head + " " + (line + drawn % 1_000 * LINES);
        };
    }
}
