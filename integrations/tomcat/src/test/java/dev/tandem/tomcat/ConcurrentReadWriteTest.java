package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tomcat.websocket.server.WsSci;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Upgraded connections that are read and written at the same time.
class ConcurrentReadWriteTest {
    private static final byte[] MASK = {1, 2, 3, 4};

    /// More than all buffers on the way hold.
    private static final int LARGE = 16 << 20;

    /// Replaced for each test: late events of one test's connection must not reach the next test.
    private static volatile BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private static TestTomcat site;

    /// Sends more than its client reads, in one frame, because close frames are sent between
    /// frames.
    public static final class Sender extends Endpoint {
        static volatile @Nullable Thread waiting;
        private final BlockingQueue<String> sessionEvents = events;

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.setMaxIdleTimeout(0);
            session.addMessageHandler(String.class, word -> hear(session, word));
        }

        private void hear(Session session, String word) {
            switch (word) {
                case "begin" -> begin(session);
                case "wait" -> {
                    Thread thread = Thread.ofPlatform().unstarted(() -> send(session));
                    waiting = thread;
                    thread.start();
                }
                case "get" -> get(session);
                case "get for a second" -> {
                    session.getAsyncRemote().setSendTimeout(1000);
                    get(session);
                }
                default -> sessionEvents.add("heard " + word);
            }
        }

        private void begin(Session session) {
            session.getAsyncRemote().setSendTimeout(0); // no timeout
            session.getAsyncRemote()
                    .sendBinary(
                            ByteBuffer.allocate(LARGE),
                            result -> sessionEvents.add("sent " + result.isOK()));
            sessionEvents.add("begun");
        }

        /// Sends on the thread that handles incoming messages.
        private void get(Session session) {
            waiting = Thread.currentThread();
            try {
                session.getAsyncRemote()
                        .sendBinary(ByteBuffer.allocate(LARGE))
                        .get(60, TimeUnit.SECONDS);
                sessionEvents.add("got");
            } catch (ExecutionException e) {
                sessionEvents.add("failed");
            } catch (InterruptedException | TimeoutException e) {
                sessionEvents.add("not notified");
            }
        }

        private void send(Session session) {
            try {
                session.getBasicRemote().sendBinary(ByteBuffer.allocate(LARGE));
                sessionEvents.add("sent");
            } catch (IOException e) {
                sessionEvents.add("failed");
            }
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            sessionEvents.add("closed " + reason.getCloseCode().getCode());
        }

        @Override
        public void onError(Session session, Throwable failure) {
            sessionEvents.add("error");
        }
    }

    /// Waits for input on one thread and writes from another.
    public static final class Talking implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            BlockingQueue<String> mine = events;
            var done = new CountDownLatch(1);
            Thread reader =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            mine.add("read " + connection.getInputStream().read());
                                        } catch (IOException e) {
                                            mine.add("failed");
                                        }
                                        done.countDown();
                                    });
            Patience.until("it waits", () -> isWaiting(reader));
            try {
                connection.getOutputStream().write("said".getBytes());
                connection.getOutputStream().flush();
                done.await();
                connection.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {
            // Nothing is held.
        }
    }

    private static boolean isWaiting(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
    }

    /// Adds the endpoint.
    public static final class Deploying implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            String name = ServerContainer.class.getName();
            var container = (ServerContainer) event.getServletContext().getAttribute(name);
            try {
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Sender.class, "/sender").build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.context.addServletContainerInitializer(new WsSci(), null);
        site.context.addApplicationListener(Deploying.class.getName());
        site.with("/", servlet((_, s) -> s.getWriter().print("root")));
        site.with(
                "/talk",
                servlet(
                        (q, s) -> {
                            s.setStatus(101);
                            s.setHeader("Upgrade", "talk");
                            s.setHeader("Connection", "Upgrade");
                            try {
                                q.upgrade(Talking.class);
                            } catch (ServletException e) {
                                throw new IOException(e);
                            }
                        }));
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    @BeforeEach
    void forget() {
        events = new LinkedBlockingQueue<>();
        Sender.waiting = null;
    }

    private static RawClient open() throws IOException {
        RawClient client = site.client();
        client.send(
                "GET /sender HTTP/1.1\nHost: h\nUpgrade: websocket\nConnection: Upgrade\n"
                        + "Sec-WebSocket-Version: 13\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
        assertEquals(101, client.response().status());
        return client;
    }

    /// A client's frame (RFC 6455, section 5.2).
    private static byte[] frame(int code, byte... content) {
        var frame = new byte[6 + content.length];
        frame[0] = (byte) (0x80 | code);
        frame[1] = (byte) (0x80 | content.length);
        System.arraycopy(MASK, 0, frame, 2, MASK.length);
        for (int i = 0; i < content.length; i++) {
            frame[6 + i] = (byte) (content[i] ^ MASK[i % MASK.length]);
        }
        return frame;
    }

    private static byte[] text(String word) {
        return frame(1, word.getBytes());
    }

    private static void assertEvent(String what) throws InterruptedException {
        assertEquals(what, events.poll(30, TimeUnit.SECONDS));
    }

    private static void assertEventsInAnyOrder(String one, String other)
            throws InterruptedException {
        var all = new HashSet<String>();
        all.add(events.poll(30, TimeUnit.SECONDS));
        all.add(events.poll(30, TimeUnit.SECONDS));
        assertEquals(Set.of(one, other), all);
    }

    /// The close frame follows the message, which is sent on meanwhile.
    @Test
    void closeFrameFollowsPartlySentMessage() throws Exception {
        try (RawClient client = open()) {
            client.send(text("begin"));
            assertEvent("begun");
            client.send(frame(8, (byte) (1000 >> 8), (byte) (1000 & 0xFF)));
            byte[] rest = client.rest();
            assertEquals(0x88, rest[rest.length - 4] & 0xFF);
            assertEventsInAnyOrder("sent true", "closed 1000");
        }
    }

    @Test
    void handlerCanWaitForItsOwnMessage() throws Exception {
        try (RawClient client = open()) {
            client.send(text("get"));
            Patience.until("it waits for its message", () -> isWaiting(Sender.waiting));
            assertNull(events.peek());
            for (int left = LARGE + 10; left > 0; ) {
                left -= client.bytes(left).length;
            }
            assertEvent("got");
            client.send(text("me"));
            assertEvent("heard me");
        }
    }

    /// The send timeout also applies to a handler that waits on the thread of its connection.
    @Test
    void unreadMessageOfHandlerTimesOut() throws Exception {
        try (RawClient client = open()) {
            client.send(text("get for a second"));
            assertEvent("failed");
        }
    }

    @Test
    void messagesAreReceivedWhileAnotherThreadSends() throws Exception {
        try (RawClient client = open()) {
            client.send(text("wait"));
            Patience.until("it waits for its client", () -> isWaiting(Sender.waiting));
            client.send(text("me"));
            assertEvent("heard me");
            client.send(frame(8, (byte) (1000 >> 8), (byte) (1000 & 0xFF)));
            client.rest();
            assertEventsInAnyOrder("sent", "closed 1000");
        }
    }

    @Test
    void oneThreadWritesWhileAnotherReads() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /talk HTTP/1.1\nHost: h\nConnection: Upgrade\nUpgrade: talk\n\n");
            assertEquals(101, client.response().status());
            assertEquals("said", new String(client.bytes(4)));
            client.send("!".getBytes());
            assertEvent("read 33");
        }
    }
}
