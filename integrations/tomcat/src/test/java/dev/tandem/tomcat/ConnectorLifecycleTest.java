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
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What operators see of a connector and do to it: beans, pause, resume, stop.
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

    /// Of a bean of the connector.
    private Object figure(String type, String attribute) throws JMException {
        // The port is not in the name if the kernel chose it.
        String name = "Tomcat:type=" + type + ",name=\"http-tandem-127.0.0.1-auto-*\"";
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        var found = beans.queryNames(new ObjectName(name), null);
        assertEquals(1, found.size(), type);
        return beans.getAttribute(found.iterator().next(), attribute);
    }

    private boolean isFigure(Object value, String type, String attribute) {
        try {
            return value.equals(figure(type, attribute));
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void beansHaveTheFiguresThatToolsLookFor() throws Exception {
        try (RawClient client = site.client();
                RawClient other = site.client()) {
            client.send(HELLO).response();
            client.send(HELLO).response();
            assertEquals(2, figure("GlobalRequestProcessor", "requestCount"));
            assertEquals(10L, figure("GlobalRequestProcessor", "bytesSent"));
            assertEquals(0, figure("GlobalRequestProcessor", "errorCount"));
            assertEquals(200, figure("ThreadPool", "maxThreads"));
            other.send(SLOW);
            await(isInside);
            assertEquals(2L, figure("ThreadPool", "connectionCount"));
            // Who has answered gives its place back a moment later.
            Patience.until("one runs", () -> isFigure(1, "ThreadPool", "currentThreadsBusy"));
            assertEquals(1, figure("ThreadPool", "keepAliveCount"));
            assertTrue((int) figure("ThreadPool", "currentThreadCount") >= 1);
            release.countDown();
            assertEquals("slow", other.response().text());
        }
    }

    @Test
    void whoComesWhileItIsPausedIsServedAfterwards() throws Exception {
        site.connector.pause();
        try (RawClient client = site.client()) {
            client.send(HELLO);
            site.connector.resume();
            assertEquals("hello", client.response().text());
        }
    }

    @Test
    void whatRunsWhenItIsPausedIsAnsweredAndItsConnectionEnds() throws Exception {
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

    /// As balancers want it: who comes to a server that ends goes elsewhere at once.
    @Test
    void whoComesAfterAGracefulEndBeganIsRefused() throws Exception {
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
    void anAddressThatIsTakenIsToldByItsType() throws Exception {
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

    @Test
    void whatIsLeftOutIsNamed() {
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setProperty("SSLEnabled", "true");
        connector.addUpgradeProtocol(new Http2Protocol());
        try (var log = LogCapture.of(TandemProtocol.class.getName())) {
            assertThrows(Exception.class, connector.getProtocolHandler()::init); // no certificate
            assertEquals(
                    1, log.messages(m -> m.contains("leaves h2 out")).size(), "" + log.lines());
        }
    }

    @Test
    void whatRunsWhenItIsStoppedIsAnswered() throws Exception {
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

    /// It goes on while it is stopped, and wants to go on for longer.
    @Test
    void noneIsLeftOfARequestThatIsStoppedWhileItRuns() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /again HTTP/1.1\nHost: h\n\n");
            Patience.until("it is open", () -> site.openCount() == 1);
            Objects.requireNonNull(begun.get()).dispatch();
            await(isInside);
            site.connector.stop();
            release.countDown();
            Patience.until("it is over", () -> endpoint().getCurrentThreadsBusy() == 0);
            assertEquals(0, site.openCount());
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
    void aStoppedConnectorServesNobodyAndCanBeStartedAgain() throws Exception {
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
