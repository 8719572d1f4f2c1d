package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.websocket.server.WsSci;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// WebSocket sessions whose messages cannot be sent: each is notified that it is closed.
@Timeout(60)
class WebSocketDisconnectTest {
    /// More than all buffers on the way hold.
    private static final int LARGE = 4 << 20;

    private static final int RECEIVE_BUFFER = 4096;

    private static final BlockingQueue<String> CLOSED = new LinkedBlockingQueue<>();
    private static final BlockingQueue<String> STARTED = new LinkedBlockingQueue<>();
    private static volatile CountDownLatch isReset = new CountDownLatch(0);
    private static volatile long sendTimeoutMillis;

    private TestTomcat site;

    /// Records how its sessions end.
    public abstract static class Recording extends Endpoint {
        @Override
        public void onClose(Session session, CloseReason reason) {
            CLOSED.add("closed " + reason.getCloseCode().getCode());
        }

        static void send(Session session) {
            session.getAsyncRemote().setSendTimeout(sendTimeoutMillis);
            session.getAsyncRemote().sendBinary(ByteBuffer.allocate(LARGE), _ -> {});
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

    /// Adds the endpoints.
    public static final class Deploying implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            String name = ServerContainer.class.getName();
            var container = (ServerContainer) event.getServletContext().getAttribute(name);
            try {
                add(container, SendsFirst.class, "/first");
                add(container, SendsElsewhere.class, "/elsewhere");
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
                        + "Sec-WebSocket-Version: 13\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
        return client;
    }

    private static void assertNext(String expected, BlockingQueue<String> events)
            throws InterruptedException {
        assertEquals(expected, events.poll(20, TimeUnit.SECONDS));
    }

    private void assertNothingIsLeft() {
        Patience.until("the connections are closed", () -> site.openCount() == 0);
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
            client.send(new byte[] {(byte) 0x81, (byte) 0x81, 1, 2, 3, 4, 'x' ^ 1});
            assertNext("handles", STARTED);
            client.reset();
            isReset.countDown();
            assertNext("closed 1006", CLOSED);
            assertNothingIsLeft();
        }
    }

    @Test
    void messageThatTimesOut() throws Exception {
        sendTimeoutMillis = 100;
        try (RawClient _ = open("first")) {
            assertNext("closed 1006", CLOSED);
            assertNothingIsLeft();
        }
    }
}
