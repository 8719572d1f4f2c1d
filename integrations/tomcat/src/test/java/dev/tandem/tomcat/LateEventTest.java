package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.SocketEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What comes late for an async request, as its thread is held up: it must reach no other request,
/// nor a later part of its own.
@Timeout(60)
class LateEventTest {
    private static final long PATIENCE_SECONDS = 20;

    private final BlockingQueue<AsyncContext> waiting = new LinkedBlockingQueue<>();
    private final List<Processor> processors = new CopyOnWriteArrayList<>();

    private TestTomcat site() throws Exception {
        return new TestTomcat()
                .with("/hello", servlet((_, s) -> s.getWriter().print("hello")))
                .with(
                        "/waits",
                        servlet(
                                (q, _) -> {
                                    AsyncContext context = q.startAsync();
                                    context.setTimeout(0);
                                    waiting.add(context);
                                }))
                .start();
    }

    /// Sends a request that waits, and returns its connection.
    private TandemSocket open(TestTomcat site, RawClient client) throws IOException {
        client.send("GET /waits HTTP/1.1\nHost: h\n\n");
        var endpoint = ((TandemProtocol) site.connector.getProtocolHandler()).endpoint();
        Patience.until("it waits", () -> endpoint.getConnections().size() == 1);
        var socket = (TandemSocket) endpoint.getConnections().iterator().next();
        Patience.until("it has a processor", () -> socket.getCurrentProcessor() != null);
        processors.add((Processor) socket.getCurrentProcessor());
        return socket;
    }

    private void complete(String text) throws Exception {
        AsyncContext context = waiting.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        context.getResponse().getWriter().print(text);
        context.complete();
    }

    /// Waits until the events that have been added are handled.
    private static void awaitEvents(TandemSocket socket) throws Exception {
        ContainerExchange exchange = socket.exchange();
        var handled = new CountDownLatch(1);
        assertTrue(exchange.resume(handled::countDown), "the request was ended");
        assertTrue(handled.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "the request was ended");
    }

    @Test
    void timeoutThatIsLateDoesNotEndTheRequest() throws Exception {
        try (TestTomcat site = site();
                RawClient client = site.client()) {
            TandemSocket socket = open(site, client);
            socket.processSocket(SocketEvent.TIMEOUT, true); // of no current generation
            awaitEvents(socket);
            complete("late");
            assertEquals("late", client.response().text());
            client.send("GET /hello HTTP/1.1\nHost: h\n\n");
            assertEquals("hello", client.response().text());
        }
    }

    /// As where memory was short in one of its steps.
    @Test
    void requestWhoseExchangeEndedIsNotified() throws Exception {
        try (TestTomcat site = site();
                RawClient client = site.client()) {
            TandemSocket socket = open(site, client);
            var notified = new CountDownLatch(1);
            waiting.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .addListener(new CompletionListener(notified::countDown));
            socket.exchange().end();
            assertTrue(notified.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            Patience.until("the end of the request", () -> site.openCount() == 0);
        }
    }

    private record CompletionListener(Runnable task) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            task.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    @Test
    void timeoutOfAnEndedRequestIsNotTheNextOnes() throws Exception {
        try (TestTomcat site = site();
                RawClient client = site.client()) {
            open(site, client);
            complete("first");
            assertEquals("first", client.response().text());
            Patience.until("it has ended", () -> site.openCount() == 0);
            TandemSocket socket = open(site, client);
            processors.getFirst().timeoutAsync(-1);
            awaitEvents(socket);
            complete("second");
            assertEquals("second", client.response().text());
        }
    }

    /// Its thread may still be within the call that has completed it.
    @Test
    void objectsOfAnAsyncRequestAreNotUsedAgain() throws Exception {
        try (TestTomcat site = site();
                RawClient client = site.client()) {
            for (int i = 0; i < 2; i++) {
                TandemSocket socket = open(site, client);
                complete("done");
                assertEquals("done", client.response().text());
                Patience.until("it has ended", () -> site.openCount() == 0);
                assertSame(null, socket.getCurrentProcessor());
            }
            assertNotSame(processors.getFirst(), processors.getLast());
        }
    }

    /// Each would hold the memory of its request, and be looked at each second, for good.
    @Test
    void stopOfTheConnectorLeavesNoProcessorOfAnOpenRequest() throws Exception {
        try (TestTomcat site = site();
                RawClient client = site.client()) {
            TandemSocket socket = open(site, client);
            var protocol = (TandemProtocol) site.connector.getProtocolHandler();
            Patience.until("it waits", () -> protocol.getWaitingProcessorCount() == 1);
            socket.close();
            assertEquals(0, protocol.getWaitingProcessorCount());
            assertEquals(0, site.openCount());
        }
    }
}
