package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.websocket.FullMemory;
import dev.tandem.http.Body;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.Router;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever clients begin, and wherever they end it: what was counted for them is counted no more
/// when they have left.
@Timeout(120)
class Http2AccountsTest {
    private static final int CONNECTIONS = 60;
    private static final int STREAMS_MAX = 12;
    private static final int MASK = 0x12345678;

    private final EventChannel events = EventChannel.of();
    private final Path file;
    private MemoryServer server;
    private Random random = new Random(0);

    Http2AccountsTest(@TempDir Path folder) throws IOException {
        this.file = Files.write(folder.resolve("file"), new byte[300_000]);
        Router routes =
                Router.builder()
                        .add("GET", "/page", x -> x.send("page"))
                        .add("GET", "/large", x -> x.send(new byte[100_000]))
                        .add("GET", "/file", this::file)
                        .add("GET", "/slow", Http2AccountsTest::slow)
                        .add("GET", "/events", events::subscribe)
                        .add("POST", "/echo", x -> x.send(x.request().body().readAllBytes()))
                        .add("POST", "/slow", Http2AccountsTest::slow)
                        .add("POST", "/ignore", x -> x.send("ignored"))
                        .add("CONNECT", "/live", x -> open(x, 0))
                        .add("CONNECT", "/late", x -> open(x, 2))
                        .build();
        server = new MemoryServer(Options.DEFAULT.withThreads(t -> t.withWorkersMax(3)), routes);
    }

    private void file(Exchange x) throws IOException {
        x.send(new Body.FileRegion(file, 0, 300_000, FileStamp.of(file)));
    }

    private static void slow(Exchange x) throws Exception {
        Thread.sleep(2);
        x.request().body().readAllBytes();
        x.send("slow");
    }

    private static void open(Exchange x, int millis) throws IOException {
        x.webSocket(
                session -> {
                    Thread.sleep(millis);
                    session.onText(session::send);
                    session.onBinary(content -> echo(session, content));
                },
                WebSocketOptions.DEFAULT);
    }

    private static void echo(WebSocket session, byte[] content) throws Exception {
        Thread.sleep(1);
        session.send(content);
    }

    private static byte[] message(int size) {
        ByteBuffer out = ByteBuffer.allocate(size + 14);
        FrameEncoder.masked(out, Opcode.BINARY, true, ByteBuffer.allocate(size), MASK);
        var bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    private int begin(Http2Client client) throws IOException {
        switch (random.nextInt(8)) {
            case 0 -> {
                return client.get("/page?" + "q".repeat(random.nextInt(3_000)));
            }
            case 1 -> {
                return client.get(random.nextBoolean() ? "/large" : "/file");
            }
            case 2 -> {
                return client.get("/slow");
            }
            case 3 -> {
                return client.get("/events");
            }
            case 4 -> {
                return post(client, random.nextBoolean() ? "/echo" : "/slow");
            }
            case 5 -> {
                return post(client, "/ignore");
            }
            default -> {
                return connect(client, random.nextBoolean() ? "/live" : "/late");
            }
        }
    }

    private int post(Http2Client client, String path) throws IOException {
        boolean isExpecting = random.nextInt(4) == 0;
        int id = isExpecting ? client.post(path, "expect", "100-continue") : client.post(path);
        for (int i = random.nextInt(4); i > 0; i--) {
            client.data(id, new byte[random.nextInt(20_000)], false);
        }
        switch (random.nextInt(3)) {
            case 0 -> client.data(id, new byte[1], true);
            case 1 -> client.trailers(id, "x-end", "yes");
            default -> {} // its end does not come
        }
        return id;
    }

    private int connect(Http2Client client, String path) throws IOException {
        int id =
                client.write(
                        "CONNECT",
                        path,
                        false,
                        ":protocol",
                        "websocket",
                        "sec-websocket-version",
                        "13");
        for (int i = random.nextInt(4); i > 0; i--) {
            client.data(id, message(random.nextInt(20_000)), false);
        }
        client.data(id, new byte[] {(byte) 0x82, (byte) 0xFE}, random.nextInt(5) == 0);
        return id;
    }

    /// Lets the server do something, or more.
    private void pass(Http2Client client) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> {}
            case 1 -> server.iterate();
            case 2 -> client.pump();
            default -> server.loop().runOnce(1_000_000);
        }
    }

    private Http2Client client() throws IOException {
        boolean isClosed = random.nextInt(3) == 0;
        Settings settings = isClosed ? Settings.CLIENT.withInitialWindowSize(0) : Settings.CLIENT;
        Http2Client client = Http2Client.to(server, settings).hello();
        return random.nextBoolean() ? client.keepWindows() : client;
    }

    private void converse(Http2Client client) throws IOException {
        List<Integer> ids = new ArrayList<>();
        for (int i = random.nextInt(STREAMS_MAX); i > 0 && !client.isEnded(); i--) {
            ids.add(begin(client));
            pass(client);
            if (random.nextInt(3) == 0) {
                events.publish("an event");
            }
            if (random.nextInt(3) == 0) {
                client.reset(ids.get(random.nextInt(ids.size())), ErrorCode.CANCEL);
                pass(client);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nothingIsLeft(long seed) throws IOException {
        random = new Random(seed);
        for (int i = 0; i < CONNECTIONS; i++) {
            Http2Client client = client();
            converse(client);
            client.close();
        }
        server.iterateUntil("all have left", () -> server.connections() == 0);
        server.awaitRest();
        server.iterate();
        assertEquals(0, server.engine().inputMemory().bytes(), "input");
        assertEquals(0, server.engine().outputMemory().bytes(), "output");
        assertEquals(0, FullMemory.used(), "sessions");
        assertEquals(0, events.subscriberCount(), "subscribers");
        assertEquals(0, server.engine().http2().openStreams(), "streams");
        server.close();
    }
}
