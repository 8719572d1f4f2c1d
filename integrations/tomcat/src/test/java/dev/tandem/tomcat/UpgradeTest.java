package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.CloseReason;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.websocket.Constants;
import org.apache.tomcat.websocket.server.WsSci;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Connections that are upgraded to another protocol.
class UpgradeTest {
    private static TestTomcat site;

    /// Sends back what it receives.
    public static final class Echo extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(
                    String.class,
                    text -> {
                        try {
                            session.getBasicRemote().sendText(text);
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            session.addMessageHandler(
                    ByteBuffer.class, bytes -> session.getAsyncRemote().sendBinary(bytes));
        }
    }

    /// Sends from a thread of its own until sending fails.
    public static final class Firehose extends Endpoint {
        static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.getUserProperties().put(Constants.BLOCKING_SEND_TIMEOUT_PROPERTY, 200L);
            Thread.ofVirtual().start(() -> send(session));
        }

        private static void send(Session session) {
            String text = "x".repeat(10_000);
            try {
                for (int i = 0; i < 10_000; i++) { // 100 MB: more than any buffers hold
                    session.getBasicRemote().sendText(text);
                }
                EVENTS.add("sent");
            } catch (IOException e) {
                EVENTS.add("failed");
            }
        }

        /// The close frame cannot be sent.
        @Override
        public void onError(Session session, Throwable failure) {
            EVENTS.add("error");
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            EVENTS.add("closed " + reason.getCloseCode().getCode());
        }
    }

    /// Echoes five bytes, in blocking style.
    public static final class Counting implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            try {
                byte[] line = connection.getInputStream().readNBytes(5);
                connection.getOutputStream().write(("got " + new String(line)).getBytes());
                connection.getOutputStream().flush();
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

    /// Reads what has come when the test says so, by a listener or waiting.
    public static final class Late implements HttpUpgradeHandler {
        static final SynchronousQueue<String> HOW = new SynchronousQueue<>();
        static final BlockingQueue<String> READ = new LinkedBlockingQueue<>();

        @Override
        public void init(WebConnection connection) {
            Thread.ofPlatform().start(() -> read(connection));
        }

        private static void read(WebConnection connection) {
            try {
                ServletInputStream in = connection.getInputStream();
                if (HOW.take().equals("waiting")) {
                    READ.add(new String(in.readNBytes(2)));
                    HOW.take();
                    READ.add(new String(in.readNBytes(2)));
                    HOW.take();
                    connection.close();
                } else {
                    in.setReadListener(new Listener(in));
                }
            } catch (Exception e) {
                READ.add(e.toString());
            }
        }

        private record Listener(ServletInputStream in) implements ReadListener {
            @Override
            public void onDataAvailable() throws IOException {
                while (in.isReady()) {
                    int next = in.read();
                    if (next >= 0) {
                        READ.add(Character.toString(next));
                    }
                }
            }

            @Override
            public void onAllDataRead() {
                READ.add("end");
            }

            @Override
            public void onError(Throwable failure) {
                READ.add("failed");
            }
        }

        @Override
        public void destroy() {
            // Nothing is held.
        }
    }

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.context.addServletContainerInitializer(new WsSci(), null);
        site.context.addApplicationListener(Deploying.class.getName());
        site.with(
                "/count",
                servlet(
                        (q, s) -> {
                            s.setStatus(101);
                            s.setHeader("Upgrade", "count");
                            s.setHeader("Connection", "Upgrade");
                            try {
                                q.upgrade(Counting.class);
                            } catch (ServletException e) {
                                throw new IOException(e);
                            }
                        }));
        site.with(
                "/late",
                servlet(
                        (q, s) -> {
                            s.setStatus(101);
                            s.setHeader("Upgrade", "late");
                            s.setHeader("Connection", "Upgrade");
                            try {
                                q.upgrade(Late.class);
                            } catch (ServletException e) {
                                throw new IOException(e);
                            }
                        }));
        site.with("/", servlet((_, s) -> s.getWriter().print("root")));
        site.start();
    }

    /// Adds the endpoint.
    public static final class Deploying implements jakarta.servlet.ServletContextListener {
        @Override
        public void contextInitialized(jakarta.servlet.ServletContextEvent event) {
            var container =
                    (ServerContainer)
                            event.getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Echo.class, "/ws").build());
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Firehose.class, "/hose").build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    @Test
    void servletUpgradesConnection() throws Exception {
        try (RawClient client = site.client()) {
            client.send(
                    "GET /count HTTP/1.1\nHost: h\nConnection: Upgrade\nUpgrade: count\n\nhello");
            String all = new String(client.restOrCut());
            assertTrue(all.startsWith("HTTP/1.1 101"), all);
            assertTrue(all.endsWith("got hello"), all);
        }
    }

    private RawClient openLate() throws IOException {
        RawClient client = site.client();
        client.send("GET /late HTTP/1.1\nHost: h\nConnection: Upgrade\nUpgrade: late\n\n");
        assertEquals(101, client.responseToHead().status());
        return client;
    }

    private static void assertRead(String expected) throws InterruptedException {
        assertEquals(expected, Late.READ.poll(20, TimeUnit.SECONDS));
    }

    /// Input that the handler does not read is announced once.
    @Test
    void inputThatIsReadLateIsNotLost() throws Exception {
        try (RawClient client = openLate()) {
            client.send("ab".getBytes());
            Patience.until("it waits", () -> Late.HOW.offer("waiting"));
            assertRead("ab");
            client.send("cd".getBytes());
            Patience.until("it waits", () -> Late.HOW.offer("again"));
            assertRead("cd");
            Patience.until("it waits", () -> Late.HOW.offer("close"));
        }
    }

    /// The client's end was announced before the handler closed the connection.
    @Test
    void connectionIsClosedThoughItsInputWasIgnored() throws Exception {
        try (RawClient client = openLate()) {
            client.send("abcd".getBytes());
            client.halfClose();
            Patience.until("it waits", () -> Late.HOW.offer("waiting"));
            assertRead("ab");
            Patience.until("it waits", () -> Late.HOW.offer("again"));
            assertRead("cd");
            Thread.sleep(100); // so that the client's end has been announced, and ignored
            Patience.until("it waits", () -> Late.HOW.offer("close"));
            assertEquals(0, client.restOrCut().length);
        }
    }

    @Test
    void listenerThatIsSetLateGetsTheInput() throws Exception {
        try (RawClient client = openLate()) {
            client.send("ab".getBytes());
            Patience.until("it waits", () -> Late.HOW.offer("listening"));
            assertRead("a");
            assertRead("b");
            client.send("c".getBytes());
            assertRead("c");
            client.halfClose();
            assertRead("failed"); // as on stock
        }
    }

    /// Records what a client receives.
    private static final class ClientEvents implements WebSocket.Listener {
        final BlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private int bytes;

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                received.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket socket, ByteBuffer part, boolean isLast) {
            bytes += part.remaining();
            if (isLast) {
                received.add(bytes + " bytes");
                bytes = 0;
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            received.add("close " + status);
            return null;
        }
    }

    private static WebSocket open(HttpClient client, ClientEvents clientEvents) {
        return client.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + site.port() + "/ws"), clientEvents)
                .join();
    }

    @Test
    void webSocketEchoesMessages() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var clientEvents = new ClientEvents();
            WebSocket socket = open(client, clientEvents);
            for (int i = 0; i < 50; i++) {
                socket.sendText("text " + i, true).join();
                assertEquals("text " + i, clientEvents.received.poll(20, TimeUnit.SECONDS));
            }
            socket.sendBinary(ByteBuffer.wrap(new byte[5000]), true).join();
            assertEquals("5000 bytes", clientEvents.received.poll(20, TimeUnit.SECONDS));
            socket.sendClose(1000, "bye").join();
            assertEquals("close 1000", clientEvents.received.poll(20, TimeUnit.SECONDS));
        }
    }

    /// A blocking send waits for as long as the WebSocket's send timeout.
    @Test
    void sendToClientThatReadsNothingFails() throws Exception {
        try (RawClient client = site.client()) {
            client.send(
                    "GET /hose HTTP/1.1\nHost: h\nUpgrade: websocket\nConnection: Upgrade\n"
                            + "Sec-WebSocket-Version: 13\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
            assertEquals(101, client.response().status());
            var events = new HashSet<String>();
            for (int i = 0; i < 3; i++) {
                events.add(Firehose.EVENTS.poll(20, TimeUnit.SECONDS));
            }
            assertEquals(Set.of("failed", "error", "closed 1006"), events);
        }
    }

    @Test
    void silentWebSocketsHoldNoThreads() throws Exception {
        int before = site.threads();
        try (HttpClient client = HttpClient.newHttpClient()) {
            List<ClientEvents> all = new ArrayList<>();
            List<WebSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(new ClientEvents());
                sockets.add(open(client, all.getLast()));
            }
            assertTrue(site.threads() - before < 20, "threads: " + site.threads());
            for (int i = 0; i < 40; i++) {
                sockets.get(i).sendText("x" + i, true).join();
                assertEquals("x" + i, all.get(i).received.poll(20, TimeUnit.SECONDS));
            }
            sockets.forEach(WebSocket::abort);
        }
    }

    @Test
    void tomcatsWebSocketClientWorks() throws Exception {
        var container = ContainerProvider.getWebSocketContainer();
        var received = new LinkedBlockingQueue<String>();
        Session session =
                container.connectToServer(
                        new Endpoint() {
                            @Override
                            public void onOpen(Session opened, EndpointConfig config) {
                                opened.addMessageHandler(String.class, received::add);
                            }
                        },
                        ClientEndpointConfig.Builder.create().build(),
                        URI.create("ws://127.0.0.1:" + site.port() + "/ws"));
        session.getBasicRemote().sendText("y".repeat(5000));
        String text = received.poll(20, TimeUnit.SECONDS);
        assertEquals(5000, text == null ? 0 : text.length());
        session.close();
    }
}
