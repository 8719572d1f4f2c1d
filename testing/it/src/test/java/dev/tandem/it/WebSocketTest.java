package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.WebSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// WebSocket sessions with the JDK's client.
class WebSocketTest {
    private static final int PATIENCE_SECONDS = 20;

    /// Collects whole messages, and how the session ended.
    private static final class Collector implements java.net.http.WebSocket.Listener {
        private final Queue<String> texts = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final CompletableFuture<Integer> binary = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();
        private int bytes;

        @Override
        public CompletionStage<?> onText(
                java.net.http.WebSocket socket, CharSequence data, boolean isLast) {
            text.append(data);
            if (isLast) {
                texts.add(text.toString());
                text.setLength(0);
            }
            return java.net.http.WebSocket.Listener.super.onText(socket, data, isLast);
        }

        @Override
        public CompletionStage<?> onBinary(
                java.net.http.WebSocket socket, ByteBuffer data, boolean isLast) {
            bytes += data.remaining();
            if (isLast) {
                binary.complete(bytes);
            }
            return java.net.http.WebSocket.Listener.super.onBinary(socket, data, isLast);
        }

        @Override
        public CompletionStage<?> onClose(java.net.http.WebSocket socket, int code, String reason) {
            closed.complete(code);
            return CompletableFuture.completedStage(null);
        }
    }

    private static void echo(WebSocket session) {
        session.onText(session::send);
        session.onBinary(session::send);
    }

    @Test
    void clientOfTheJdkGetsItsMessagesBack() throws Exception {
        Server server =
                Tandem.listen("127.0.0.1", 0).webSocket("/echo", WebSocketTest::echo).start();
        try (HttpClient http = HttpClient.newHttpClient()) {
            var collector = new Collector();
            java.net.http.WebSocket client =
                    http.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create("ws://127.0.0.1:" + server.port() + "/echo"),
                                    collector)
                            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            client.sendText("Grüße", true).join();
            client.sendText("in two ", false).join();
            client.sendText("parts", true).join();
            client.sendBinary(ByteBuffer.allocate(500_000), true).join();
            assertEquals(500_000, collector.binary.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals("[Grüße, in two parts]", collector.texts.toString());
            client.sendClose(1000, "done").join();
            assertEquals(1000, collector.closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } finally {
            server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
        }
    }
}
