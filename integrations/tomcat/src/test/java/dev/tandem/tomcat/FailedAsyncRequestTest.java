package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Asynchronous requests whose client fails. If that is while a listener reads a body and a thread
/// of the application writes the response, what that thread still does must not reach another
/// request.
class FailedAsyncRequestTest {
    private static final long PATIENCE_SECONDS = 20;

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    /// Notes Catalina's requests, which it uses again.
    private final class Noting extends ValveBase {
        Noting() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response)
                throws IOException, ServletException {
            requests.add(request);
            getNext().invoke(request, response);
        }
    }

    /// Reads, and leaves the end of the request to the thread that writes.
    private final class Reading implements ReadListener {
        private final ServletInputStream in;

        Reading(ServletInputStream in) {
            this.in = in;
        }

        @Override
        public void onDataAvailable() throws IOException {
            while (in.isReady() && in.read() >= 0) {
                events.add("read");
            }
        }

        @Override
        public void onAllDataRead() {
            events.add("all read");
        }

        @Override
        public void onError(Throwable failure) {
            events.add("failed");
        }
    }

    private void begin(AsyncContext context) throws IOException {
        context.setTimeout(0);
        ServletInputStream in = context.getRequest().getInputStream();
        in.setReadListener(new Reading(in));
    }

    private void expect(String event) throws InterruptedException {
        assertEquals(event, events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private static void fetch(TestTomcat site) throws IOException {
        try (RawClient client = site.client()) {
            client.send("GET /hello HTTP/1.1\nHost: h\nConnection: close\n\n");
            assertEquals("hello", client.response().text());
        }
    }

    /// The listener is not informed that all was read, either.
    @ParameterizedTest
    @ValueSource(strings = {"malformed", "end", "reset"})
    void objectsOfARequestThatCannotBeReadAreNotUsedAgain(String how) throws Exception {
        try (var site = new TestTomcat()) {
            site.tomcat.getHost().getPipeline().addValve(new Noting());
            site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")))
                    .with("/upload", servlet((q, _) -> begin(q.startAsync())))
                    .start();
            fetch(site);
            try (RawClient client = site.client()) {
                client.send("POST /upload HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n");
                Patience.until("it continues", () -> site.openCount() == 1);
                client.send("1\n.\n");
                expect("read");
                switch (how) {
                    case "malformed" -> client.send("malformed\n");
                    case "end" -> client.halfClose();
                    default -> client.reset();
                }
                expect("failed");
            }
            Patience.until("the end of the request", () -> site.openCount() == 0);
            fetch(site);
            assertSame(requests.get(0), requests.get(1));
            assertNotSame(requests.get(1), requests.getLast());
        }
    }

    /// What it has written is sent when it has returned.
    @Test
    void requestThatHasReturnedIsNotifiedThatItsClientIsGone() throws Exception {
        var isGone = new CountDownLatch(1);
        try (var site = new TestTomcat()) {
            site.with("/write", servlet((q, s) -> writeLate(q.startAsync(), s, isGone))).start();
            try (RawClient client = site.client()) {
                client.send("GET /write HTTP/1.1\nHost: h\n\n");
                expect("begun");
                client.reset();
                isGone.countDown();
                expect("error");
                expect("complete");
            }
            Patience.until("the end of the request", () -> site.openCount() == 0);
        }
    }

    /// Time-outs are found by one thread, for all requests.
    @Test
    void stalledUploadHoldsUpNoTimeOut() throws Exception {
        try (var site = new TestTomcat()) {
            site.with("/upload", servlet((q, _) -> readOnAnotherThread(q.startAsync()))).start();
            try (RawClient client = site.client()) {
                client.send("POST /upload HTTP/1.1\nHost: h\nContent-Length: 100000\n\n");
                client.send(new byte[80_000]);
                var both = new HashSet<String>();
                both.add(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
                both.add(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
                assertEquals(Set.of("read", "timeout"), both);
            }
            Patience.until("the end of the request", () -> site.openCount() == 0);
        }
    }

    private void readOnAnotherThread(AsyncContext context) throws IOException {
        context.setTimeout(1000);
        context.addListener(new Listening());
        ServletInputStream in = context.getRequest().getInputStream();
        Thread.ofPlatform().start(() -> readAll(in));
    }

    private void readAll(ServletInputStream in) {
        try {
            for (int i = 0; i < 80_000; i++) {
                assertTrue(in.read() >= 0);
            }
            events.add("read");
            in.readAllBytes();
        } catch (IOException e) {
            events.add("failed");
        }
    }

    private void writeLate(AsyncContext context, HttpServletResponse s, CountDownLatch isGone)
            throws IOException {
        context.setTimeout(0);
        context.addListener(new Listening());
        events.add("begun");
        try {
            isGone.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        s.getOutputStream().write(new byte[12_000]); // more than Catalina keeps, less than we do
    }

    /// Notes how a request ends.
    private final class Listening implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            events.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            events.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            events.add("error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
