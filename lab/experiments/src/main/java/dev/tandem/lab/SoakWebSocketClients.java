package dev.tandem.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Clients of a soak that use WebSocket and server-sent events, by the JDK's client. Safe for use
/// by any thread.
record SoakWebSocketClients(SoakPlace place) {
    private static final int MESSAGES = 10;
    private static final int FRAGMENTS_MAX = 4;
    private static final int FRAGMENT_MAX = 16 * 1_024;
    private static final int SECONDS_MAX = 20;

    /// More than the server sends before the mark of one that reads all.
    private static final int EVENTS_MAX = 1 << 20;

    /// Each kind by its name.
    Map<String, SoakClient> kinds() {
        var kinds = new LinkedHashMap<String, SoakClient>();
        kinds.put("WebSocket", random -> echo(random, false));
        kinds.put("WebSocket over TLS", random -> echo(random, true));
        kinds.put("WebSocket, broken off", this::brokenOff);
        kinds.put("events", this::events);
        return kinds;
    }

    /// Collects messages, each when it is complete.
    private static final class Inbox implements WebSocket.Listener {
        private static final byte[] CLOSED = new byte[0];

        private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream part = new ByteArrayOutputStream();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket session, CharSequence text, boolean isLast) {
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            return onBinary(session, ByteBuffer.wrap(bytes), isLast);
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket session, ByteBuffer content, boolean isLast) {
            while (content.hasRemaining()) {
                part.write(content.get());
            }
            if (isLast) {
                messages.add(part.toByteArray());
                part.reset();
            }
            session.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket session, int code, String reason) {
            messages.add(CLOSED);
            return null;
        }

        @Override
        public void onError(WebSocket session, Throwable error) {
            messages.add(CLOSED);
        }

        byte[] next() throws IOException, InterruptedException {
            byte[] message = messages.poll(SECONDS_MAX, TimeUnit.SECONDS);
            if (message == null) {
                throw new IOException("no message within " + SECONDS_MAX + " s");
            }
            return message;
        }
    }

    /// A session that one thread uses.
    private record Session(HttpClient client, WebSocket socket, Inbox inbox)
            implements AutoCloseable {
        void echo(Random random) throws IOException, InterruptedException {
            boolean isText = random.nextBoolean();
            var sent = new ByteArrayOutputStream();
            int fragments = 1 + random.nextInt(FRAGMENTS_MAX);
            for (int i = 1; i <= fragments; i++) {
                byte[] bytes = bytes(random, isText);
                sent.writeBytes(bytes);
                boolean isLast = i == fragments;
                SoakHttp2Clients.await(
                        isText
                                ? socket.sendText(
                                        new String(bytes, StandardCharsets.US_ASCII), isLast)
                                : socket.sendBinary(ByteBuffer.wrap(bytes), isLast));
            }
            byte[] received = inbox.next();
            SoakClient.expect(
                    Arrays.equals(received, sent.toByteArray()),
                    "a message of %d bytes comes back with %d"
                            .formatted(sent.size(), received.length));
        }

        /// Not empty: an empty message stands for the end.
        private static byte[] bytes(Random random, boolean isText) {
            var bytes = new byte[1 + random.nextInt(FRAGMENT_MAX)];
            random.nextBytes(bytes);
            for (int i = 0; isText && i < bytes.length; i++) {
                bytes[i] = (byte) ('a' + (bytes[i] & 15));
            }
            return bytes;
        }

        @Override
        public void close() {
            socket.abort();
            client.shutdownNow();
        }
    }

    private Session open(String base, String path) throws IOException, InterruptedException {
        HttpClient client = client();
        var inbox = new Inbox();
        try {
            WebSocket socket =
                    SoakHttp2Clients.await(
                            client.newWebSocketBuilder()
                                    .buildAsync(URI.create(base + path), inbox));
            return new Session(client, socket, inbox);
        } catch (IOException | InterruptedException e) {
            client.shutdownNow();
            throw e;
        }
    }

    private HttpClient client() throws IOException {
        return HttpClient.newBuilder().sslContext(place.newTrust().context()).build();
    }

    private String plain(Random random) {
        return "ws://127.0.0.1:" + place.anyPlain(random);
    }

    private void echo(Random random, boolean isTls) throws IOException, InterruptedException {
        String base = isTls ? "wss://127.0.0.1:" + place.tls() : plain(random);
        try (Session session = open(base, "/ws")) {
            for (int i = 0; i < MESSAGES; i++) {
                session.echo(random);
            }
            SoakHttp2Clients.await(session.socket.sendClose(WebSocket.NORMAL_CLOSURE, ""));
            byte[] last = session.inbox.next();
            SoakClient.expect(last.length == 0, "a message behind the last: " + last.length);
        }
    }

    private void brokenOff(Random random) throws IOException, InterruptedException {
        try (Session session = open(plain(random), "/ws")) {
            session.echo(random);
            if (random.nextBoolean()) {
                SoakHttp2Clients.await(session.socket.sendText("a message without an en", false));
            }
        }
    }

    /// Subscribes to events and publishes one by a WebSocket session.
    private void events(Random random) throws IOException, InterruptedException {
        int port = place.anyPlain(random);
        String mark = "mark-" + Long.toHexString(random.nextLong());
        HttpClient client = client();
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/events/soak"))
                            .version(HttpClient.Version.HTTP_1_1)
                            .build();
            HttpResponse<InputStream> response =
                    SoakHttp2Clients.await(
                            client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()));
            SoakClient.expect(
                    response.statusCode() == 200, "events get status " + response.statusCode());
            try (Session session = open("ws://127.0.0.1:" + port, "/live/soak");
                    InputStream events = response.body()) {
                SoakHttp2Clients.await(session.socket.sendText(mark, true));
                closeLater(events);
                find(mark, events);
            }
        } finally {
            client.shutdownNow();
        }
    }

    /// Ends a read that waits for too long.
    private static void closeLater(InputStream events) {
        CompletableFuture.delayedExecutor(SECONDS_MAX, TimeUnit.SECONDS)
                .execute(
                        () -> {
                            try {
                                events.close();
                            } catch (IOException e) {
                                // It ends the read all the same.
                            }
                        });
    }

    private static void find(String mark, InputStream events) throws IOException {
        var line = new StringBuilder();
        for (int i = 0; i < EVENTS_MAX; i++) {
            int c = events.read();
            if (c < 0) {
                break;
            }
            if (c != '\n') {
                line.append((char) c);
            } else if (line.toString().equals("data: " + mark)) {
                return;
            } else {
                line.setLength(0);
            }
        }
        throw new IOException("an event was not received");
    }
}
