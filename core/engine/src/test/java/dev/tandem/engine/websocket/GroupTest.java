package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.WebSocketGroup.Slow;
import dev.tandem.engine.Networks;
import dev.tandem.engine.OverTls;
import dev.tandem.engine.TestCertificate;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Messages for many sessions.
class GroupTest {
    private static final int KIB = 1024;
    private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate\n";

    private final WebSocketGroup skipping = new WebSocketGroup(Slow.SKIP);
    private final WebSocketGroup closing = new WebSocketGroup(Slow.CLOSE);
    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final List<SessionClient> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withThreads(t -> t.withLoops(2)))
                        .webSocket(
                                "/both",
                                this::joining,
                                WebSocketOptions.DEFAULT.withUnsentMax(64 * KIB))
                        .start();
    }

    @AfterEach
    void stop() throws IOException {
        for (SessionClient client : clients) {
            client.close();
        }
        server.stop(Duration.ZERO);
    }

    private void joining(WebSocket session) {
        sessions.add(session);
        skipping.add(session);
        closing.add(session);
        session.onText(session::send);
    }

    /// Opens sessions, and waits until they are members and idle.
    private void open(int count, String headers) throws IOException {
        int most = clients.size() + count;
        while (clients.size() < most) {
            SessionClient client = SessionClient.open(server.address(), "/both", headers);
            clients.add(client);
            assertEquals("81 hi", client.text("hi").frame());
        }
    }

    @Test
    void messageComesToAllMembersAndToNoOthers() throws IOException {
        open(5, "");
        WebSocket other = sessions.element();
        closing.remove(other);
        closing.remove(other);
        assertEquals(4, closing.size());
        assertTrue(closing.broadcast("news"));
        assertTrue(skipping.broadcast("all"));
        int news = 0;
        for (SessionClient client : clients) {
            String first = client.frame();
            if (first.equals("81 news")) {
                news++;
                assertEquals("81 all", client.frame());
            } else {
                assertEquals("81 all", first);
            }
        }
        assertEquals(4, news);
    }

    @Test
    void memberAddedTwiceGetsOneMessage() throws IOException {
        open(1, "");
        skipping.add(sessions.element());
        skipping.broadcast("one");
        skipping.broadcast("two");
        assertEquals("81 one", clients.getFirst().frame());
        assertEquals("81 two", clients.getFirst().frame());
        assertEquals(1, skipping.size());
    }

    @Test
    void messageIsCompressedOnceForMembersThatCanDecompressIt() throws IOException {
        open(2, "");
        open(2, OFFER);
        open(1, "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9\n");
        var message = WebSocketMessage.text("0123456789".repeat(KIB));
        skipping.broadcast(message);
        for (SessionClient client : clients.subList(0, 2)) {
            assertEquals(3 + 10 * KIB, client.frame().length());
        }
        for (SessionClient client : clients.subList(2, 5)) {
            String frame = client.frame();
            assertTrue(frame.startsWith("c1 "), frame);
        }
        message.compressed(
                _ -> {
                    throw new AssertionError("compressed again");
                });
    }

    /// Members join and end while several threads broadcast; all see the same order.
    @RepeatedTest(3)
    void allMembersGetTheSameOrder() throws Exception {
        int each = 200;
        open(6, "");
        var threads = new ArrayList<Thread>();
        for (String name : List.of("a", "b")) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < each; i++) {
                                            assertTrue(closing.broadcast(name + i));
                                        }
                                    }));
        }
        clients.removeLast().close();
        List<String> expected = null;
        for (SessionClient client : clients) {
            var got = new ArrayList<String>();
            for (int i = 0; i < 2 * each; i++) {
                got.add(client.frame());
            }
            expected = expected == null ? got : expected;
            assertEquals(expected, got);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /// What was broadcast after it had joined, by the same thread, comes to a new member, even
    /// while its own handler runs.
    @Test
    void memberGetsWhatIsBroadcastAfterItHasJoined() throws IOException {
        var own = new WebSocketGroup(Slow.CLOSE);
        Server second =
                Tandem.listen("127.0.0.1", 0)
                        .webSocket(
                                "/join",
                                session -> {
                                    own.add(session);
                                    own.broadcast("joined " + own.size());
                                })
                        .start();
        try (SessionClient first = SessionClient.open(second.address(), "/join");
                SessionClient next = open(second, first)) {
            assertEquals("81 joined 2", first.frame());
            assertEquals("81 joined 2", next.frame());
        } finally {
            second.stop(Duration.ZERO);
        }
    }

    private static SessionClient open(Server server, SessionClient first) throws IOException {
        assertEquals("81 joined 1", first.frame());
        return SessionClient.open(server.address(), "/join");
    }

    // ---- Slow members.

    /// Broadcasts until a member is slow, and half as many again.
    private static void broadcastToFill(WebSocketGroup group) {
        var message = WebSocketMessage.binary(new byte[16 * KIB]);
        int count = 0;
        while (group.skipped() == 0) {
            count += group.broadcast(message) ? 1 : 0;
            assertTrue(count < 64 * KIB, "a slow member has no bound");
        }
        for (int i = 0; i < count / 2; i++) {
            boolean _ = group.broadcast(message);
        }
    }

    @Test
    void slowMemberIsSkippedAndGetsLaterMessages() throws IOException {
        open(1, "");
        SessionClient slow = clients.getFirst();
        broadcastToFill(skipping);
        boolean isLater = false;
        while (!isLater) {
            String frame = slow.frame();
            assertTrue(frame.startsWith("82 ") || frame.equals("81 later"), frame);
            isLater = frame.equals("81 later");
            boolean _ = skipping.broadcast("later");
        }
        assertTrue(sessions.element().isOpen());
        assertEquals(1, skipping.size());
    }

    /// What is written for one member passes through the buffer of its loop.
    @Test
    void memberThatResetsWhileItsOutputWaitsDisturbsNoOther() throws IOException {
        open(4, "");
        SessionClient slow = clients.removeFirst();
        WebSocket slowSession = sessions.remove();
        var others = new WebSocketGroup(Slow.CLOSE);
        sessions.forEach(others::add);
        var alone = new WebSocketGroup(Slow.SKIP);
        alone.add(slowSession);
        broadcastToFill(alone);
        slow.reset();
        Patience.until("it has left", () -> alone.size() == 0);
        String message = "x".repeat(60 * KIB);
        assertTrue(others.broadcast(message));
        for (SessionClient client : clients) {
            assertTrue(client.frame().endsWith(message));
        }
        assertEquals(3, others.size());
    }

    /// The quick member has read each message before the next: it is never slow, however busy the
    /// machine is.
    @Test
    void slowMemberIsClosedAndTheOthersGetAll() throws IOException {
        open(2, "");
        SessionClient quick = clients.get(1);
        WebSocket slow = sessions.element();
        var message = WebSocketMessage.binary(new byte[16 * KIB]);
        int count = 0;
        while (slow.isOpen()) {
            Patience.until("accepted by both loops", () -> closing.broadcast(message));
            assertEquals(3 + 16 * KIB, quick.frame().length());
            assertTrue(++count < 64 * KIB, "a slow member has no bound");
        }
        Patience.until("accepted by both loops", () -> closing.broadcast("end"));
        assertEquals("81 end", quick.frame());
        String frame = clients.getFirst().frame();
        while (frame.startsWith("82 ")) {
            frame = clients.getFirst().frame();
        }
        assertEquals("88 1008too slow", frame);
    }

    // ---- Ends.

    /// What TLS has encrypted is each member's own, and there may be thousands of them.
    @Test
    void whatIsEncryptedForAMemberThatDoesNotTakeItCounts() throws IOException {
        Patience.until("all is taken", () -> FullMemory.used() == 0);
        var tls = (OverTls) Networks.usable().getLast().getPayload();
        Server secure =
                Tandem.listen("127.0.0.1", 0)
                        .tls(tls.settings())
                        .webSocket("/", this::joining)
                        .start();
        RawClient raw = RawClient.connect(secure.address(), 4_096, TestCertificate.trust());
        try (SessionClient client = SessionClient.open(raw, "/", "")) {
            assertEquals("81 hi", client.text("hi").frame());
            String message = "x".repeat(4 << 20);
            assertTrue(skipping.broadcast(message));
            Patience.until("it counts", () -> FullMemory.used() > 0);
            assertTrue(client.frame().endsWith(message));
            Patience.until("it is taken", () -> FullMemory.used() == 0);
        } finally {
            secure.stop(Duration.ZERO);
        }
    }

    @Test
    void endedSessionIsNoMember() throws IOException {
        open(3, "");
        WebSocket ended = sessions.element();
        clients.removeFirst().close();
        Patience.until("ended", () -> skipping.size() == 2 && closing.size() == 2);
        skipping.add(ended);
        assertEquals(2, skipping.size());
        skipping.broadcast("rest");
        assertEquals("81 rest", clients.getFirst().frame());
    }

    @Test
    void closedGroupClosesItsMembers() throws IOException {
        open(3, "");
        skipping.broadcast("last");
        skipping.close(new CloseReason(CloseReason.GOING_AWAY, "over"));
        for (SessionClient client : clients) {
            assertEquals("81 last", client.frame());
            assertEquals("88 1001over", client.frame());
            client.close(1001);
        }
        Patience.until("left", () -> skipping.size() == 0);
        assertTrue(skipping.broadcast("for none"));
        open(1, "");
        skipping.broadcast("again");
        assertEquals("81 again", clients.getLast().frame());
    }

    @Test
    void groupOutlivesItsServer() throws IOException {
        open(1, "");
        server.stop(Duration.ZERO);
        Patience.until("left", () -> skipping.size() == 0);
        assertTrue(skipping.broadcast("for none"));
        assertEquals(0, skipping.skipped());
    }

    @Test
    void objectOfAnotherKindIsNoMember() {
        var other =
                (WebSocket)
                        Proxy.newProxyInstance(
                                WebSocket.class.getClassLoader(),
                                new Class<?>[] {WebSocket.class},
                                (_, _, _) -> null);
        assertThrows(IllegalArgumentException.class, () -> skipping.add(other));
        skipping.remove(other);
        assertEquals(0, skipping.size());
    }
}
