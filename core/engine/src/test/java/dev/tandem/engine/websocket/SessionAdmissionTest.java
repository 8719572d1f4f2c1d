package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages that block are admitted as requests are: many sessions have no more workers than many
/// connections.
class SessionAdmissionTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final int WORKERS = 4;
    private static final int SESSIONS = 20;

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningMost = new AtomicInteger();
    private final AtomicInteger ending = new AtomicInteger();
    private final AtomicInteger endingMost = new AtomicInteger();
    private final AtomicInteger fullEnded = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch releaseEnds = new CountDownLatch(1);
    private final Queue<WebSocket> sessions = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private final List<SessionClient> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(
                                Options.DEFAULT.withThreads(
                                        t ->
                                                t.withLoops(1)
                                                        .withWorkersMax(WORKERS)
                                                        .withWorkersMin(WORKERS)))
                        .webSocket("/block", this::blocking)
                        .webSocket("/full", this::full)
                        .webSocket("/leave", this::leaving)
                        .webSocket("/forward", this::forward)
                        .start();
    }

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        releaseEnds.countDown();
        for (SessionClient client : clients) {
            client.close();
        }
        server.stop(Duration.ofSeconds(PATIENCE_SECONDS));
        Patience.until("its memory is given back", () -> FullMemory.used() == 0);
    }

    private void blocking(WebSocket session) {
        sessions.add(session);
        session.onText(
                text -> {
                    begun.incrementAndGet();
                    runningMost.accumulateAndGet(running.incrementAndGet(), Math::max);
                    assertTrue(release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                    running.decrementAndGet();
                    session.send(text);
                });
        session.onClose(
                _ -> {
                    endingMost.accumulateAndGet(ending.incrementAndGet(), Math::max);
                    assertTrue(releaseEnds.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                    ending.decrementAndGet();
                    ended.incrementAndGet();
                });
    }

    private void openAll() throws IOException {
        for (int i = 0; i < SESSIONS; i++) {
            clients.add(SessionClient.open(server.address(), "/block"));
        }
    }

    private void sendAll(String text) throws IOException {
        for (SessionClient client : clients) {
            client.text(text);
        }
    }

    private void expectAll(String text) throws IOException {
        for (SessionClient client : clients) {
            assertEquals("81 " + text, client.frame());
        }
    }

    @Test
    void messagesOfManySessionsHaveNoMoreWorkersThanRequests() throws IOException {
        openAll();
        sendAll("one");
        Patience.until("others wait", () -> server.waitingCount() == SESSIONS - WORKERS);
        Patience.until("as many run as may", () -> running.get() == WORKERS);
        release.countDown();
        expectAll("one");
        assertTrue(runningMost.get() <= WORKERS, runningMost + " ran at once");
        Patience.until("all are over", () -> server.runningCount() == 0);
    }

    /// A request would have been rejected.
    @Test
    void messageThatWaitedInVainAsksAgain() throws IOException {
        openAll();
        sendAll("one");
        Patience.until("rejected", () -> server.load().rejected() > 0);
        release.countDown();
        expectAll("one");
        sendAll("two");
        expectAll("two");
        assertEquals(2 * SESSIONS, begun.get());
        Patience.until("all are over", () -> server.runningCount() == 0);
    }

    @Test
    void messagesThatFollowAreHandledInOrder() throws IOException {
        openAll();
        release.countDown();
        for (int i = 0; i < 100; i++) {
            sendAll("text " + i);
        }
        for (int i = 0; i < 100; i++) {
            expectAll("text " + i);
        }
        assertTrue(runningMost.get() <= WORKERS, runningMost + " ran at once");
        Patience.until("all are over", () -> server.runningCount() == 0);
    }

    @Test
    void messagesThatWaitWhenTheirSessionsAreClosedAreDropped() throws IOException {
        openAll();
        sendAll("one");
        Patience.until("as many run as may", () -> running.get() == WORKERS);
        Patience.until("rejected", () -> server.load().rejected() > 0);
        Patience.until("open", () -> sessions.size() == SESSIONS);
        sessions.forEach(s -> s.close(CloseReason.of(CloseReason.NORMAL)));
        release.countDown();
        releaseEnds.countDown();
        for (SessionClient client : clients) {
            assertEquals("88 1000", client.frame());
            client.text("late").close(1000);
            assertEquals(0, client.raw().rest().length);
        }
        Patience.until("all have ended", () -> ended.get() == SESSIONS);
        Patience.until("all are over", () -> server.runningCount() + server.waitingCount() == 0);
        assertEquals(WORKERS, begun.get());
        assertEquals(SESSIONS, ended.get());
    }

    @Test
    void stopEndsSessionsWhoseMessagesWait() throws IOException {
        openAll();
        sendAll("one");
        Patience.until("rejected", () -> server.load().rejected() > 0);
        releaseEnds.countDown();
        assertFalse(server.stop(Duration.ZERO));
        for (SessionClient client : clients) {
            assertThrows(IOException.class, () -> untilTheEnd(client));
        }
    }

    private static void untilTheEnd(SessionClient client) throws IOException {
        while (true) {
            assertTrue(client.frame().startsWith("88 "), "only a close frame follows");
        }
    }

    /// A client that takes nothing keeps a thread, and no place of others.
    @Test
    void messageThatWaitsForItsClientReleasesItsPlace() throws IOException {
        release.countDown();
        for (int i = 0; i < WORKERS; i++) {
            clients.add(SessionClient.open(server.address(), "/full").text("go"));
        }
        Patience.until("they send", () -> begun.get() == WORKERS);
        Patience.until("they have no place", () -> server.runningCount() == 0);
        try (SessionClient other = SessionClient.open(server.address(), "/block")) {
            assertEquals("81 hi", other.text("hi").frame());
        }
    }

    /// As of handlers of requests whose clients do not read.
    @Test
    void noMoreWaitForTheirClientsThanThereAreWorkers() throws IOException {
        release.countDown();
        for (int i = 0; i < 3 * WORKERS; i++) {
            clients.add(SessionClient.open(server.address(), "/full").text("go"));
        }
        Patience.until("the slowest are closed", () -> fullEnded.get() >= 2 * WORKERS);
        Patience.until("the others wait", () -> server.runningCount() == 0);
        assertTrue(server.workerCount() <= 3 * WORKERS, server.workerCount() + " threads");
        try (SessionClient other = SessionClient.open(server.address(), "/block")) {
            assertEquals("81 hi", other.text("hi").frame());
        }
    }

    private void full(WebSocket session) {
        session.onClose(_ -> fullEnded.incrementAndGet());
        session.onText(
                _ -> {
                    begun.incrementAndGet();
                    while (true) {
                        session.send(new byte[1 << 20]);
                    }
                });
    }

    /// As of a chat, whose handler of ends sends to those that are left.
    @Test
    void handlerOfAnEndThatWaitsForAnotherSessionLeavesThatItsPlace() throws Exception {
        SessionClient leaving = SessionClient.open(server.address(), "/leave");
        clients.add(SessionClient.open(server.address(), "/block").text("one"));
        Patience.until("it is handled", () -> running.get() == 1);
        WebSocket blocked = sessions.element();
        fill(blocked);
        leaving.close();
        Patience.until("the handler of the end waits", () -> begun.get() == 2);
        assertFalse(outcomes.poll(300, TimeUnit.MILLISECONDS) != null, "it did not wait");
        assertEquals(1, server.runningCount());
    }

    private static void fill(WebSocket session) {
        for (int i = 0; session.trySend(WebSocketMessage.binary(new byte[100_000])); i++) {
            assertTrue(i < 10_000, "no bound");
        }
    }

    private void leaving(WebSocket session) {
        session.onClose(
                _ -> {
                    begun.incrementAndGet();
                    try {
                        sessions.element().send("bye");
                    } finally {
                        outcomes.add("over");
                    }
                });
    }

    /// As many handlers as may wait for a session to which nothing is sent while its own handler
    /// runs; the others fail at once.
    @Test
    void noMoreWaitForABusySessionThanThereAreWorkers() throws Exception {
        clients.add(SessionClient.open(server.address(), "/block").text("one"));
        Patience.until("it is handled", () -> running.get() == 1);
        fill(sessions.element());
        for (int i = 0; i < 3 * WORKERS; i++) {
            clients.add(SessionClient.open(server.address(), "/forward").text("go"));
        }
        for (int i = 0; i < 2 * WORKERS; i++) {
            assertEquals("over", outcomes.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        Patience.until("the others wait", () -> server.runningCount() == 1);
    }

    private void forward(WebSocket session) {
        session.onText(
                text -> {
                    try {
                        sessions.element().send(text);
                    } finally {
                        outcomes.add("over");
                    }
                });
    }

    /// As applications do that used an interface where they have to.
    @Test
    void applicationThatLocksASessionHoldsUpNoThreadOfTheServer() throws Exception {
        SessionClient client = SessionClient.open(server.address(), "/block");
        clients.add(client);
        Patience.until("open", () -> !sessions.isEmpty());
        release.countDown();
        synchronized (sessions.element()) {
            assertEquals("81 hi", client.text("hi").frame());
        }
    }

    @Test
    void endsOfManySessionsHaveAPartOfTheWorkers() throws IOException {
        openAll();
        for (SessionClient client : clients) {
            client.close();
        }
        Patience.until("one ends", () -> ending.get() == 1);
        releaseEnds.countDown();
        Patience.until("all have ended", () -> ended.get() == SESSIONS);
        assertEquals(1, endingMost.get());
    }
}
