package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.websocket.server.WsSci;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WebSocket sessions whose messages cannot be sent: each is notified that it is closed.
@Timeout(60)
class WebSocketDisconnectTest {
    /// More than all buffers on the way hold.
    private static final int LARGE = 4 << 20;

    private static final int RECEIVE_BUFFER = 4096;

    /// A masked text message of one letter.
    private static final byte[] MESSAGE = {(byte) 0x81, (byte) 0x81, 1, 2, 3, 4, 'x' ^ 1};

    private static final BlockingQueue<String> CLOSED = new LinkedBlockingQueue<>();
    private static final BlockingQueue<String> STARTED = new LinkedBlockingQueue<>();
    private static volatile CountDownLatch isReset = new CountDownLatch(0);
    private static volatile long sendTimeoutMillis;
    private static volatile String headers = "";

    private TestTomcat site;

    /// Records how its sessions end.
    public abstract static class Recording extends Endpoint {
        @Override
        public void onClose(Session session, CloseReason reason) {
            CLOSED.add("closed " + reason.getCloseCode().getCode());
        }

        static void send(Session session) {
            session.getAsyncRemote().setSendTimeout(sendTimeoutMillis);
            var message = new byte[LARGE];
            new Random(1).nextBytes(message); // so that it is as long when it is compressed
            session.getAsyncRemote().sendBinary(ByteBuffer.wrap(message), _ -> {});
        }

        static void awaitReset() {
            try {
                isReset.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Sends a message when it opens, after its client has gone if the test says so.
    public static final class SendsFirst extends Recording {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            STARTED.add("opens");
            awaitReset();
            send(session);
            STARTED.add("sends");
        }
    }

    /// Sends a message from another thread while it handles one.
    public static final class SendsElsewhere extends Recording {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, _ -> handle(session));
        }

        private static void handle(Session session) {
            STARTED.add("handles");
            awaitReset();
            try {
                Thread.ofPlatform().start(() -> send(session)).join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Sends a message, and receives others meanwhile.
    public static final class SendsWhileItReceives extends Recording {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, _ -> {});
            send(session);
            STARTED.add("sends");
        }
    }

    /// Adds the endpoints.
    public static final class Deploying implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            String name = ServerContainer.class.getName();
            var container = (ServerContainer) event.getServletContext().getAttribute(name);
            try {
                add(container, SendsFirst.class, "/first");
                add(container, SendsElsewhere.class, "/elsewhere");
                add(container, SendsWhileItReceives.class, "/receives");
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void add(ServerContainer container, Class<?> endpoint, String path)
                throws DeploymentException {
            container.addEndpoint(ServerEndpointConfig.Builder.create(endpoint, path).build());
        }
    }

    @BeforeEach
    void start() throws Exception {
        CLOSED.clear();
        STARTED.clear();
        isReset = new CountDownLatch(0);
        sendTimeoutMillis = 0; // none
        headers = "";
        site = new TestTomcat();
        site.context.addServletContainerInitializer(new WsSci(), null);
        site.context.addApplicationListener(Deploying.class.getName());
        site.with("/", BlockingServletTest.servlet((_, s) -> s.getWriter().print("root")));
        site.start();
    }

    @AfterEach
    void stop() throws Exception {
        isReset.countDown();
        site.close();
    }

    private RawClient open(String path) throws IOException {
        var address = new InetSocketAddress("127.0.0.1", site.port());
        RawClient client = RawClient.connect(address, RECEIVE_BUFFER);
        client.send(
                "GET /%s HTTP/1.1\nHost: h\nUpgrade: websocket\nConnection: Upgrade\n"
                                .formatted(path)
                        + headers
                        + "Sec-WebSocket-Version: 13\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
        return client;
    }

    private static void assertNext(String expected, BlockingQueue<String> events)
            throws InterruptedException {
        assertEquals(expected, events.poll(20, TimeUnit.SECONDS));
    }

    private void assertNothingIsLeft() {
        Patience.until("the sessions are closed", () -> site.openCount() == 0);
        Patience.until("their connections are closed", () -> site.connectionCount() == 0);
    }

    /// Many, since the write may fail before or after the connection is read.
    @Test
    void clientsThatResetWhileMessagesWait() throws Exception {
        int count = 30;
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(open("first"));
            assertNext("opens", STARTED);
            assertNext("sends", STARTED);
        }
        assertNull(CLOSED.peek());
        for (RawClient client : clients) {
            client.reset();
        }
        for (int i = 0; i < count; i++) {
            assertNext("closed 1006", CLOSED);
        }
        assertNothingIsLeft();
    }

    @Test
    void clientThatIsGoneBeforeTheFirstMessage() throws Exception {
        isReset = new CountDownLatch(1);
        try (RawClient client = open("first")) {
            assertNext("opens", STARTED);
            client.reset();
            isReset.countDown();
            assertNext("closed 1006", CLOSED);
            assertNothingIsLeft();
        }
    }

    @Test
    void clientThatIsGoneWhenAnotherThreadSends() throws Exception {
        isReset = new CountDownLatch(1);
        try (RawClient client = open("elsewhere")) {
            client.send(MESSAGE);
            assertNext("handles", STARTED);
            client.reset();
            isReset.countDown();
            assertNext("closed 1006", CLOSED);
            assertNothingIsLeft();
        }
    }

    /// Several, since Tomcat and the connector each look once a second. A compressed message is
    /// sent in parts, of which the next fails at once.
    @ParameterizedTest
    @ValueSource(strings = {"", "Sec-WebSocket-Extensions: permessage-deflate\n"})
    void messagesThatTimeOut(String header) throws Exception {
        sendTimeoutMillis = 100;
        headers = header;
        int count = 12;
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(open("receives"));
            assertNext("sends", STARTED);
            Thread.sleep(1000 / count); // so that they time out one after the other
        }
        assertAllClosed(clients);
    }

    /// Their sessions are closed while messages of theirs are handled.
    @Test
    void messagesThatTimeOutWhileClientsSend() throws Exception {
        sendTimeoutMillis = 100;
        List<RawClient> clients = new ArrayList<>();
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            RawClient client = open("receives");
            clients.add(client);
            assertNext("sends", STARTED);
            senders.add(Thread.ofPlatform().start(() -> flood(client)));
        }
        assertAllClosed(clients);
        for (Thread sender : senders) {
            sender.join();
        }
    }

    private static void flood(RawClient client) {
        var messages = new byte[100 * MESSAGE.length];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = MESSAGE[i % MESSAGE.length];
        }
        try {
            for (int i = 0; i < 1_000_000; i++) {
                client.send(messages);
            }
        } catch (IOException e) {
            // The server has closed the connection.
        }
    }

    private void assertAllClosed(List<RawClient> clients) throws Exception {
        for (RawClient _ : clients) {
            assertNext("closed 1006", CLOSED);
        }
        assertNothingIsLeft();
        for (RawClient client : clients) {
            client.close();
        }
        assertNull(CLOSED.peek());
    }
}
