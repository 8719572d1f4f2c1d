package dev.tandem.engine;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Handler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A server in a process of its own, for measurements and lack of resources. Prints its port;
/// responds to each line of its standard input with one line, and stops at the input's end.
final class ChildServer {
    private ChildServer() {}

    private static final EventChannel EVENTS = EventChannel.of();

    public static void main(String[] args) throws IOException {
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withLimits(l -> l.withConnectionsMax(100_000)))
                        .get("/hello", x -> x.send("Hello, World!"))
                        .post("/upload", x -> x.send("" + x.request().body().readAllBytes().length))
                        .get("/now", Handler.nonBlocking(x -> x.send("now")))
                        .get("/events", EVENTS::subscribe)
                        .webSocket("/live", session -> session.onText(session::send))
                        .start();
        System.out.println(server.port());
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(response(line, server));
        }
        server.stop(Duration.ofSeconds(1));
    }

    private static String response(String question, Server server) {
        return switch (question) {
            case "heap" -> "" + heap();
            case "subscribers" -> "" + EVENTS.subscriberCount();
            case "threads" -> "" + Thread.getAllStackTraces().size();
            case "publish" -> {
                EVENTS.publish("news");
                yield "published";
            }
            case "connections" -> "" + server.connectionCount();
            case "workers" -> "" + server.workerCount();
            case "options" ->
                    Options.DEFAULT.threads().loops()
                            + " "
                            + Options.DEFAULT.threads().workersMax();
            default -> "?";
        };
    }

    /// Live heap after a collection, in bytes.
    private static long heap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
