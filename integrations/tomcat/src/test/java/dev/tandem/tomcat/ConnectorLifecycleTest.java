package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.ConnectException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A connector's JMX beans, and its pause, resume and stop.
@Timeout(60)
class ConnectorLifecycleTest {
    private static final String HELLO = "GET /hello HTTP/1.1\nHost: h\n\n";
    private static final String SLOW = "GET /slow HTTP/1.1\nHost: h\n\n";

    private final CountDownLatch isInside = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicReference<AsyncContext> begun = new AtomicReference<>();
    private TestTomcat site;

    @BeforeEach
    void start() throws Exception {
        site =
                new TestTomcat()
                        .with("/hello", servlet((_, s) -> s.getWriter().print("hello")))
                        .with("/again", servlet((q, _) -> again(q)))
                        .with("/late", servlet(this::respondLate))
                        .with(
                                "/slow",
                                servlet(
                                        (_, s) -> {
                                            isInside.countDown();
                                            await(release);
                                            s.getWriter().print("slow");
                                        }))
                        .start();
    }

    @AfterEach
    void stop() throws Exception {
        release.countDown();
        site.close();
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// Reads an attribute of a bean of the connector.
    private Object attribute(String type, String attribute) throws JMException {
        // The port is not in the name if the kernel chose it.
        String name = "Tomcat:type=" + type + ",name=\"http-tandem-127.0.0.1-auto-*\"";
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        var found = beans.queryNames(new ObjectName(name), null);
        assertEquals(1, found.size(), type);
        return beans.getAttribute(found.iterator().next(), attribute);
    }

    private boolean hasAttribute(Object value, String type, String attribute) {
        try {
            return value.equals(attribute(type, attribute));
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void beansReportRequestsAndConnections() throws Exception {
        try (RawClient client = site.client();
                RawClient other = site.client()) {
            client.send(HELLO).response();
            client.send(HELLO).response();
            // Catalina counts when it has sent the response.
            Patience.until(
                    "both count", () -> hasAttribute(2, "GlobalRequestProcessor", "requestCount"));
            assertEquals(10L, attribute("GlobalRequestProcessor", "bytesSent"));
            assertEquals(0, attribute("GlobalRequestProcessor", "errorCount"));
            assertEquals(200, attribute("ThreadPool", "maxThreads"));
            other.send(SLOW);
            await(isInside);
            assertEquals(2L, attribute("ThreadPool", "connectionCount"));
            // A permit is released just after the response has been sent.
            Patience.until("one runs", () -> hasAttribute(1, "ThreadPool", "currentThreadsBusy"));
            assertEquals(1, attribute("ThreadPool", "keepAliveCount"));
            assertTrue((int) attribute("ThreadPool", "currentThreadCount") >= 1);
            release.countDown();
            assertEquals("slow", other.response().text());
        }
    }

    @Test
    void requestDuringPauseIsServedAfterResume() throws Exception {
        site.connector.pause();
        try (RawClient client = site.client()) {
            client.send(HELLO);
            site.connector.resume();
            assertEquals("hello", client.response().text());
        }
    }

    @Test
    void runningRequestFinishesAfterPauseAndConnectionCloses() throws Exception {
        try (RawClient client = site.client()) {
            client.send(SLOW);
            await(isInside);
            site.connector.pause();
            release.countDown();
            RawResponse response = client.response();
            assertEquals("slow", response.text());
            assertTrue(response.saysClose());
            assertTrue(client.isClosedByServer());
        }
    }

    /// A balancer should try another server at once.
    @Test
    void newConnectionAfterGracefulCloseIsRefused() throws Exception {
        release.countDown();
        site.close();
        site = new TestTomcat().with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
        site.connector.setProperty("bindOnInit", "false");
        site.start();
        try (RawClient kept = site.client()) {
            assertEquals("hello", kept.send(HELLO).response().text());
            site.connector.getProtocolHandler().closeServerSocketGraceful();
            assertThrows(ConnectException.class, () -> site.client().close());
            RawResponse last = kept.send(HELLO).response();
            assertEquals("hello", last.text());
            assertTrue(last.saysClose());
        }
        site.connector.stop();
        site.connector.start();
        try (RawClient client = site.client()) {
            assertEquals("hello", client.send(HELLO).response().text());
        }
    }

    @Test
    void addressInUseIsABindException() throws Exception {
        try (var other = new TestTomcat()) {
            other.connector.setPort(site.port());
            other.connector.setThrowOnFailure(true);
            var failure = assertThrows(LifecycleException.class, other.connector::init);
            assertTrue(causes(failure).anyMatch(BindException.class::isInstance), "" + failure);
        }
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /// A protocol that is not HTTP/2.
    private static final class OtherProtocol implements UpgradeProtocol {
        @Override
        public @Nullable String getHttpUpgradeName(boolean isSecure) {
            return null;
        }

        @Override
        public byte[] getAlpnIdentifier() {
            return new byte[] {'x'};
        }

        @Override
        public String getAlpnName() {
            return "x";
        }

        @Override
        public @Nullable Processor getProcessor(SocketWrapperBase<?> socket, Adapter adapter) {
            return null;
        }

        @Override
        public @Nullable InternalHttpUpgradeHandler getInternalUpgradeHandler(
                SocketWrapperBase<?> socket, Adapter adapter, Request request) {
            return null;
        }

        @Override
        public boolean accept(Request request) {
            return false;
        }
    }

    @Test
    void ignoredUpgradeProtocolIsLogged() {
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setProperty("SSLEnabled", "true");
        connector.addUpgradeProtocol(new OtherProtocol());
        try (var log = LogCapture.of(TandemProtocol.class.getName())) {
            assertThrows(Exception.class, connector.getProtocolHandler()::init); // no certificate
            assertEquals(
                    1,
                    log.messages(m -> m.contains("ignores dev.tandem.tomcat")).size(),
                    "" + log.lines());
        }
    }

    @Test
    void runningRequestFinishesDuringStop() throws Exception {
        try (RawClient client = site.client()) {
            client.send(SLOW);
            await(isInside);
            Thread stopping = Thread.ofPlatform().start(() -> stopQuietly());
            Patience.until("it is paused", () -> isPaused());
            release.countDown();
            assertEquals("slow", client.response().text());
            stopping.join();
        }
    }

    /// The request continues while the connector is stopped, and starts async mode again.
    @Test
    void requestRunningDuringStopLeavesNoConnection() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /again HTTP/1.1\nHost: h\n\n");
            Patience.until("it is open", () -> site.openCount() == 1 && begun.get() != null);
            Objects.requireNonNull(begun.get()).dispatch();
            await(isInside);
            site.connector.stop();
            release.countDown();
            Patience.until("it is over", () -> endpoint().getCurrentThreadsBusy() == 0);
            Patience.until("none is left", () -> site.openCount() == 0);
        }
    }

    /// As one of Spring's that is dispatched when its result is there.
    @Test
    void dispatchThatRunsDuringStopResponds() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /late HTTP/1.1\nHost: h\n\n");
            Patience.until("it is open", () -> site.openCount() == 1 && begun.get() != null);
            Objects.requireNonNull(begun.get()).dispatch();
            await(isInside);
            site.connector.stop();
            release.countDown();
            assertEquals("late", client.response().text());
        }
    }

    private void respondLate(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            begun.set(request.startAsync());
        } else {
            isInside.countDown();
            await(release);
            response.getWriter().print("late");
        }
    }

    private void again(HttpServletRequest request) throws IOException {
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            begun.set(request.startAsync());
        } else {
            isInside.countDown();
            await(release);
            request.startAsync().setTimeout(0);
        }
    }

    private TandemEndpoint endpoint() {
        return ((TandemProtocol) site.connector.getProtocolHandler()).endpoint();
    }

    private boolean isPaused() {
        return ((TandemProtocol) site.connector.getProtocolHandler()).isPaused();
    }

    private void stopQuietly() {
        try {
            site.tomcat.stop();
        } catch (org.apache.catalina.LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void stoppedConnectorCanBeStartedAgain() throws Exception {
        try (RawClient idle = site.client()) {
            Patience.until("it is accepted", () -> endpoint().getConnectionCount() == 1);
            site.connector.stop();
            assertTrue(idle.isClosedByServer());
        }
        try (RawClient newClient = site.client()) {
            newClient.send(HELLO);
            site.connector.start();
            assertEquals("hello", newClient.response().text());
        }
        try (RawClient client = site.client()) {
            RawResponse response = client.send(HELLO).response();
            assertEquals("hello", response.text());
            assertFalse(response.saysClose());
        }
    }
}
