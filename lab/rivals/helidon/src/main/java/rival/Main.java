package rival;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.staticcontent.FileSystemHandlerConfig;
import io.helidon.webserver.staticcontent.StaticContentFeature;
import io.helidon.webserver.websocket.WsRouting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Helidon SE: a virtual thread for each connection, so it has no number of threads.
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        Call call = Call.of(words);
        // How often it checks for idle ones; the minimum interval is coarse.
        Duration look = Duration.ofMillis(Math.max(100, call.keepAlive().toMillis() / 4));
        WebServer.builder()
                .host("127.0.0.1")
                .port(call.port())
                .backlog(Call.BACKLOG)
                .idleConnectionTimeout(call.keepAlive())
                .idleConnectionPeriod(look)
                .routing(routing -> route(routing, call))
                .addRouting(
                        WsRouting.builder()
                                .endpoint("/ws", WebSockets.Echo::new)
                                .endpoint("/live/{group}", WebSockets.Live::new))
                .build()
                .start();
    }

    private static void route(HttpRouting.Builder routing, Call call) {
        routing.get("/hello", (request, response) -> send(response, "text/plain", "Hello, World!"))
                .get("/block", Main::block)
                .get("/report", Main::block)
                .get("/cpu", Main::compute)
                .get(
                        "/db",
                        (request, response) -> send(response, "application/json", Items.random()))
                .any("/echo", Main::echo)
                .register(
                        "/",
                        StaticContentFeature.createService(
                                FileSystemHandlerConfig.create(call.root())));
    }

    private static void block(ServerRequest request, ServerResponse response) throws Exception {
        Thread.sleep(number(request, "ms", 5));
        send(response, "text/plain", "ok");
    }

    private static void compute(ServerRequest request, ServerResponse response) {
        send(response, "text/plain", Long.toHexString(Work.compute(number(request, "us", 1_000))));
    }

    private static void echo(ServerRequest request, ServerResponse response) {
        byte[] body = request.content().as(byte[].class);
        response.headers().set(HeaderNames.CONTENT_TYPE, "text/plain");
        response.send(body);
    }

    private static long number(ServerRequest request, String name, long fallback) {
        return request.query().first(name).map(Long::parseLong).orElse(fallback);
    }

    private static void send(ServerResponse response, String type, String body) {
        response.headers().set(HeaderNames.CONTENT_TYPE, type);
        response.send(body.getBytes(StandardCharsets.US_ASCII));
    }
}
