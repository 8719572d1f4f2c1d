package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Connections that change their protocol (RFC 9110, section 7.8), as WebSockets do.
@Timeout(60)
class UpgradeTest {
    private static final String[] ASK = {
        "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    };
    private static final String AGREE =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    private AutoCloseable running = () -> {};

    private Web proxied(String address) throws IOException {
        return proxied(address, Options.DEFAULT);
    }

    private Web proxied(String address, Options options) throws IOException {
        Proxy proxy = Proxy.to(List.of(address));
        Web web = new Web(site -> site.options(options).route("*", "/{path...}", proxy));
        running =
                () -> {
                    web.close();
                    proxy.close();
                };
        return web;
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            assertTrue(c >= 0, head.toString());
            head.append((char) c);
        }
        return head.toString();
    }

    private static void ask(Socket socket, String more) throws IOException {
        String text =
                "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\n"
                        + String.join("\r\n", ASK)
                        + "\r\n\r\n"
                        + more;
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void dataIsRelayedUntilOnePeerCloses() throws IOException {
        var content = new byte[2_000_000];
        new Random(6).nextBytes(content);
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    String head = String.valueOf(talk.readHead());
                                    assertTrue(head.contains("Connection: upgrade\r\n"), head);
                                    assertTrue(head.contains("Upgrade: websocket\r\n"), head);
                                    talk.say(AGREE + "first");
                                    var buffer = new byte[10_000];
                                    for (int count = talk.in().read(buffer);
                                            count >= 0;
                                            count = talk.in().read(buffer)) {
                                        talk.socket().getOutputStream().write(buffer, 0, count);
                                    }
                                });
                Socket socket = proxied(upstream.address()).connect()) {
            ask(socket, "early");
            InputStream in = socket.getInputStream();
            String head = head(in);
            assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            assertTrue(head.contains("Sec-WebSocket-Accept: s3pP"), head);
            assertTrue(head.contains("Upgrade: websocket\r\n"), head);
            assertEquals("firstearly", new String(in.readNBytes(10), StandardCharsets.US_ASCII));
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    socket.getOutputStream().write(content);
                                } catch (IOException _) {
                                    // The response shows the result.
                                }
                            });
            assertArrayEquals(content, in.readNBytes(content.length));
        }
    }

    @Test
    void upstreamsCloseReachesTheClient() throws IOException {
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    talk.say(AGREE + "bye");
                                });
                Socket socket = proxied(upstream.address()).connect()) {
            ask(socket, "");
            head(socket.getInputStream());
            assertEquals(
                    "bye",
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void clientsDisconnectReachesTheUpstream() throws Exception {
        var ended = new CountDownLatch(1);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say(AGREE);
                            talk.awaitEnd();
                            ended.countDown();
                        })) {
            try (Socket socket = proxied(upstream.address()).connect()) {
                ask(socket, "");
                head(socket.getInputStream());
            }
            assertTrue(ended.await(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void stopEndsTunnelsAndDoesNotWaitForThem() throws Exception {
        var ended = new CountDownLatch(1);
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    talk.say(AGREE + "first");
                                    talk.awaitEnd();
                                    ended.countDown();
                                });
                Proxy proxy = Proxy.to(List.of(upstream.address()))) {
            Server server = Tandem.listen("127.0.0.1", 0).route("*", "/{path...}", proxy).start();
            try (var socket = new Socket(server.address().getAddress(), server.port())) {
                socket.setSoTimeout(20_000);
                ask(socket, "");
                head(socket.getInputStream());
                assertEquals(5, socket.getInputStream().readNBytes(5).length);
                var stop =
                        CompletableFuture.supplyAsync(
                                () -> server.stop(Duration.ofSeconds(20)),
                                task -> Thread.ofPlatform().daemon().start(task));
                assertEquals(-1, socket.getInputStream().read());
                assertTrue(ended.await(20, TimeUnit.SECONDS));
                socket.shutdownOutput();
                assertTrue(stop.get(40, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void declinedUpgradeIsAnOrdinaryResponse() throws IOException {
        try (var upstream =
                        ScriptedServer.responding(
                                "HTTP/1.1 426 No\r\nContent-Length: 2\r\n\r\nno");
                Socket socket = proxied(upstream.address()).connect()) {
            ask(socket, "");
            assertTrue(head(socket.getInputStream()).startsWith("HTTP/1.1 426 "));
        }
    }

    @Test
    void unrequestedUpgradeIs502() throws IOException {
        try (var upstream = ScriptedServer.responding(AGREE)) {
            Web web = proxied(upstream.address());
            assertEquals(502, web.get("/chat").status());
            assertFalse(upstream.heads().getFirst().contains("Upgrade"));
        }
    }

    /// Sessions do not count as connections to their upstream. Those of one address leave some of
    /// all that may be open to another's.
    @Test
    void clientThatHoldsSessionsLeavesSomeToOthers() throws IOException {
        var held = new ArrayList<Socket>();
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say(AGREE);
                            talk.awaitEnd();
                        })) {
            Web web =
                    proxied(
                            upstream.address(),
                            Options.DEFAULT.withLimits(l -> l.withEventStreamsMax(16)));
            for (int i = 0; i < 14; i++) {
                Socket socket = web.connect();
                held.add(socket);
                ask(socket, "");
                String head = head(socket.getInputStream());
                assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            }
            try (Socket further = web.connect()) {
                ask(further, "");
                String head = head(further.getInputStream());
                assertTrue(head.startsWith("HTTP/1.1 503 "), head);
            }
            try (var other = new Socket()) {
                other.bind(new InetSocketAddress("127.0.0.2", 0));
                other.connect(web.serverAddress());
                ask(other, "");
                String head = head(other.getInputStream());
                assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            }
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }
}
