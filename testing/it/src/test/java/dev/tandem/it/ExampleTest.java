package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Runs the examples unchanged.
class ExampleTest {

    /// An example that runs, and the address that it has printed.
    private record Example(Process process, URI address) implements AutoCloseable {
        static Example start(String name) throws IOException {
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            Process process =
                    new ProcessBuilder(
                                    java.toString(),
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "../../examples/" + name,
                                    "0")
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            return new Example(process, URI.create(process.inputReader().readLine()));
        }

        RawClient request(String path) throws IOException {
            RawClient client =
                    RawClient.connect(new InetSocketAddress(address.getHost(), address.getPort()));
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n");
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void saysHello() throws IOException {
        try (Example hello = Example.start("Hello.java");
                RawClient client = hello.request(hello.address().getPath())) {
            assertEquals("Hello, you\n", client.response().text());
        }
    }

    @Test
    void sendsPrices() throws IOException {
        try (Example prices = Example.start("Prices.java");
                RawClient client = prices.request("/prices")) {
            var text = new StringBuilder();
            while (text.indexOf("event: price\ndata: ") < 0) {
                byte[] bytes = client.bytes(4096);
                assertTrue(bytes.length > 0, text::toString);
                text.append(new String(bytes, StandardCharsets.UTF_8));
            }
            assertTrue(text.toString().startsWith("HTTP/1.1 200"), text::toString);
        }
    }

    @Test
    void chatsInRooms() throws Exception {
        try (Example chat = Example.start("Chat.java");
                HttpClient http = HttpClient.newHttpClient()) {
            var heard = new LinkedBlockingQueue<String>();
            WebSocket first = enter(http, chat, "garden", heard);
            WebSocket second = enter(http, chat, "garden", heard);
            first.sendText("hello", true).join();
            for (int i = 0; i < 2; i++) {
                assertEquals("hello", heard.poll(20, TimeUnit.SECONDS));
            }
            first.abort();
            second.abort();
            WebSocket lost = enter(http, chat, "attic", heard);
            assertEquals("closed 1008 no room", heard.poll(20, TimeUnit.SECONDS));
            lost.abort();
        }
    }

    private static WebSocket enter(
            HttpClient http, Example chat, String room, BlockingQueue<String> heard) {
        URI address = URI.create("ws://127.0.0.1:" + chat.address().getPort() + "/rooms/" + room);
        WebSocket.Listener listener =
                new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(
                            WebSocket session, CharSequence text, boolean isLast) {
                        heard.add(text.toString());
                        return WebSocket.Listener.super.onText(session, text, isLast);
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket session, int code, String reason) {
                        heard.add("closed " + code + " " + reason);
                        return CompletableFuture.completedFuture(null);
                    }
                };
        return http.newWebSocketBuilder().buildAsync(address, listener).join();
    }
}
