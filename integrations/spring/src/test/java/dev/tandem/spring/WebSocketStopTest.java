package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.spring.sockets.Sockets;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A WebSocket session that is open when its application is stopped.
class WebSocketStopTest {
    private static final class Closed implements WebSocket.Listener {
        final CompletableFuture<Integer> status = new CompletableFuture<>();

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            status.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            status.completeExceptionally(failure);
        }
    }

    /// Spring Boot stops the connector before the application: with Tomcat's own, the client is cut
    /// (1006).
    @Test
    void sessionIsClosedAsGoingAway() throws Exception {
        var closed = new Closed();
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket;
            try (var application = RunningApplication.start(Sockets.class)) {
                URI at = URI.create("ws://127.0.0.1:" + application.port() + "/ws");
                socket = client.newWebSocketBuilder().buildAsync(at, closed).join();
            }
            assertEquals(1001, closed.status.get(20, TimeUnit.SECONDS));
            socket.abort();
        }
    }
}
