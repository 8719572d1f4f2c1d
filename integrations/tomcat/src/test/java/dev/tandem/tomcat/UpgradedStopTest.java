package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
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
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.websocket.Constants;
import org.apache.tomcat.websocket.server.WsSci;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Upgraded connections that are open when the server stops, as `tandem run` does before it stops
/// its applications, or when Tomcat does.
@Timeout(60)
class UpgradedStopTest {
    /// Much longer than a test: no stop waits for it.
    private static final Duration GRACE = Duration.ofHours(1);

    /// More than a client that reads nothing takes.
    private static final int MESSAGE = 20 << 20;

    private static final String OPEN =
            "GET /%s HTTP/1.1\nHost: h\nUpgrade: websocket\nConnection: Upgrade\n"
                    + "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n";

    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();
    private static volatile CountDownLatch mayRespond = new CountDownLatch(0);

    private TestTomcat site;

    /// Responds to a message when the test says so.
    public static class Responding extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, text -> respond(session, text));
        }

        private static void respond(Session session, String text) {
            EVENTS.add("received " + text);
            try {
                mayRespond.await();
                session.getBasicRemote().sendText("heard " + text);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            EVENTS.add("closed " + reason.getCloseCode().getCode());
        }
    }

    /// Sends more than a client that reads nothing takes.
    public static final class Sending extends Responding {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.getAsyncRemote().sendBinary(ByteBuffer.allocate(MESSAGE));
            EVENTS.add("sends");
        }
    }

    /// Sends more than a client that reads nothing takes, and waits for it.
    public static final class Blocking extends Responding {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.getUserProperties().put(Constants.BLOCKING_SEND_TIMEOUT_PROPERTY, -1L);
            session.addMessageHandler(String.class, how -> send(session, how.equals("future")));
            EVENTS.add("opens");
        }

        private static void send(Session session, boolean isByFuture) {
            EVENTS.add("sends");
            ByteBuffer message = ByteBuffer.allocate(MESSAGE);
            try {
                if (isByFuture) {
                    session.getAsyncRemote().sendBinary(message).get();
                } else {
                    session.getBasicRemote().sendBinary(message);
                }
            } catch (IOException | InterruptedException | ExecutionException e) {
                EVENTS.add("failed");
            }
        }
    }

    /// Reads without holding a thread, and never ends by itself.
    public static final class Reading implements HttpUpgradeHandler, ReadListener {
        private @Nullable ServletInputStream in;

        @Override
        public void init(WebConnection connection) {
            try {
                ServletInputStream opened = connection.getInputStream();
                in = opened;
                opened.setReadListener(this);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onDataAvailable() throws IOException {
            ServletInputStream open = in;
            while (open != null && open.isReady() && open.read() >= 0) {
                EVENTS.add("read");
            }
        }

        @Override
        public void onAllDataRead() {
            EVENTS.add("all read");
        }

        @Override
        public void onError(Throwable failure) {
            EVENTS.add("failed");
        }

        @Override
        public void destroy() {
            EVENTS.add("destroyed");
        }
    }

    /// Adds the endpoints.
    public static final class Deploying implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            var container =
                    (ServerContainer)
                            event.getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Responding.class, "/ws").build());
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Sending.class, "/sends").build());
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Blocking.class, "/blocks").build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// What a client of a WebSocket receives.
    private static final class Received implements WebSocket.Listener {
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence text, boolean isLast) {
            events.add(text.toString());
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            events.add("close " + status);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            events.add("failed");
        }
    }

    @BeforeEach
    void start() throws Exception {
        EVENTS.clear();
        mayRespond = new CountDownLatch(0);
        site = new TestTomcat();
        site.context.addServletContainerInitializer(new WsSci(), null);
        site.context.addApplicationListener(Deploying.class.getName());
        site.with("/", servlet((_, s) -> s.getWriter().print("root")));
        site.with(
                "/upgrade",
                servlet(
                        (q, s) -> {
                            s.setStatus(101);
                            s.setHeader("Upgrade", "own");
                            s.setHeader("Connection", "Upgrade");
                            try {
                                q.upgrade(Reading.class);
                            } catch (ServletException e) {
                                throw new IOException(e);
                            }
                        }));
        site.start();
    }

    @AfterEach
    void stop() throws Exception {
        mayRespond.countDown();
        site.close();
    }

    private Server server() {
        Server server = ((TandemProtocol) site.connector.getProtocolHandler()).server();
        assertNotNull(server);
        return server;
    }

    private static void assertEvent(String expected) throws InterruptedException {
        assertEquals(expected, EVENTS.poll(20, TimeUnit.SECONDS));
    }

    private WebSocket open(HttpClient client, Received received) throws InterruptedException {
        WebSocket socket =
                client.newWebSocketBuilder()
                        .buildAsync(URI.create("ws://127.0.0.1:" + site.port() + "/ws"), received)
                        .join();
        socket.sendText("a", true).join();
        assertEvent("received a");
        return socket;
    }

    private static void assertReceived(String expected, Received received)
            throws InterruptedException {
        assertEquals(expected, received.events.poll(20, TimeUnit.SECONDS));
    }

    @FunctionalInterface
    private interface Stop {
        void run() throws Exception;
    }

    private void assertGoingAway(Stop stop) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var received = new Received();
            WebSocket socket = open(client, received);
            assertReceived("heard a", received);
            Patience.until("it is idle", () -> site.openCount() == 1);
            stop.run();
            assertReceived("close 1001", received);
            assertEvent("closed 1001");
            socket.abort();
        }
    }

    @Test
    void sessionIsClosedAsGoingAway() throws Exception {
        assertGoingAway(() -> assertTrue(server().stop(GRACE)));
    }

    @Test
    void sessionIsClosedAsGoingAwayWhenTomcatStops() throws Exception {
        assertGoingAway(() -> site.tomcat.stop());
    }

    /// Spring Boot stops the connector before the application.
    @Test
    void sessionIsClosedAsGoingAwayWhenTheConnectorStops() throws Exception {
        assertGoingAway(() -> site.connector.stop());
    }

    @Test
    void clientThatDoesNotRespondDoesNotHoldUpTheStop() throws Exception {
        try (RawClient client = site.client()) {
            client.send(OPEN.formatted("ws"));
            assertEquals(101, client.responseToHead().status());
            assertTrue(server().stop(GRACE));
            assertEvent("closed 1001");
            assertReceived(1001, client);
        }
    }

    @Test
    void clientThatReadsNothingDoesNotHoldUpTheStop() throws Exception {
        var address = new InetSocketAddress("127.0.0.1", site.port());
        try (RawClient client = RawClient.connect(address, 4096)) {
            client.send(OPEN.formatted("sends"));
            assertEvent("sends");
            assertTrue(server().stop(GRACE));
            assertEvent("closed 1006");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "future"})
    void handlerOfAClientThatReadsNothingDoesNotHoldUpTheStop(String how) throws Exception {
        var address = new InetSocketAddress("127.0.0.1", site.port());
        try (RawClient client = RawClient.connect(address, 4096)) {
            client.send(OPEN.formatted("blocks"));
            assertEvent("opens");
            client.send(text(how));
            assertEvent("sends");
            assertNull(EVENTS.peek());
            assertTrue(server().stop(GRACE));
            var both = new HashSet<String>();
            both.add(EVENTS.poll(20, TimeUnit.SECONDS));
            both.add(EVENTS.poll(20, TimeUnit.SECONDS));
            assertEquals(Set.of("failed", "closed 1006"), both);
        }
    }

    /// Each part of the message has to wait for it.
    @Test
    void clientThatReadsSlowlyGetsTheWholeMessageOfAHandler() throws Exception {
        try (RawClient client = site.client()) {
            client.send(OPEN.formatted("blocks"));
            assertEquals(101, client.responseToHead().status());
            assertEvent("opens");
            client.send(text("x"));
            assertEvent("sends");
            Server server = server();
            var isDone = CompletableFuture.supplyAsync(() -> server.stop(GRACE));
            int left = MESSAGE + 10;
            while (left > 0) {
                int count = client.bytes(Math.min(left, 64 << 10)).length;
                assertTrue(count > 0, left + " are left");
                left -= count;
                Thread.sleep(10); // more than 3 s in all
            }
            assertReceived(1001, client);
            assertTrue(isDone.get(20, TimeUnit.SECONDS));
            assertEvent("closed 1001");
        }
    }

    private static void assertReceived(int code, RawClient client) throws IOException {
        byte[] frame = client.restOrCut();
        assertEquals((byte) 0x88, frame[0]);
        assertEquals(code, ByteBuffer.wrap(frame).getShort(2));
    }

    /// A client's message, masked with zeros.
    private static byte[] text(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(6 + bytes.length)
                .put((byte) 0x81)
                .put((byte) (0x80 | bytes.length))
                .putInt(0)
                .put(bytes)
                .array();
    }

    @Test
    void runningHandlerEndsBeforeItsSession() throws Exception {
        mayRespond = new CountDownLatch(1);
        try (HttpClient client = HttpClient.newHttpClient()) {
            var received = new Received();
            WebSocket socket = open(client, received);
            Server server = server();
            var isDone = CompletableFuture.supplyAsync(() -> server.stop(GRACE));
            Patience.until("it stops", () -> isRefused());
            mayRespond.countDown();
            assertReceived("heard a", received);
            assertReceived("close 1001", received);
            assertTrue(isDone.get(20, TimeUnit.SECONDS));
            socket.abort();
        }
    }

    private boolean isRefused() {
        try (RawClient _ = site.client()) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void connectionOfAnotherProtocolIsClosed() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /upgrade HTTP/1.1\nHost: h\nConnection: Upgrade\nUpgrade: own\n\nx");
            assertEquals(101, client.responseToHead().status());
            assertEvent("read");
            assertTrue(server().stop(GRACE));
            assertEvent("destroyed");
            assertEquals(0, client.restOrCut().length);
        }
    }
}
