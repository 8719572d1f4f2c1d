package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Servlets that continue after their call: asynchronous ones, and non-blocking ones.
class AsyncServletTest {
    private static final BlockingQueue<AsyncContext> STARTED = new LinkedBlockingQueue<>();
    private static final EventLog HEARD = new EventLog();
    private static final int LONG = 3_000_000;
    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.with("/later", servlet((q, _) -> STARTED.add(q.startAsync())));
        site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
        site.with(
                "/run",
                servlet(
                        (q, _) -> {
                            AsyncContext context = q.startAsync();
                            context.start(() -> complete(context, "run"));
                        }));
        site.with("/timeout", servlet((q, _) -> listen(q.startAsync()).setTimeout(200)));
        site.with("/read", servlet((q, _) -> new Reading(q).begin()));
        site.with("/write", servlet((q, _) -> new Writing(q.startAsync()).begin()));
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private static AsyncContext listen(AsyncContext context) {
        context.addListener(HEARD);
        return context;
    }

    private static void complete(AsyncContext context, String text) {
        try {
            context.getResponse().getWriter().print(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        context.complete();
    }

    private static AsyncContext started() throws InterruptedException {
        AsyncContext context = STARTED.poll(20, TimeUnit.SECONDS);
        assertTrue(context != null, "not begun");
        return context;
    }

    private static RawClient ask(RawClient client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: h\n\n");
    }

    /// Tomcat counts connections itself once a limit is set, and would log a warning.
    @Test
    void closingConnectionsUnderALimitLogsNothing() throws Exception {
        var limited = new TestTomcat();
        limited.connector.setProperty("maxConnections", "100");
        limited.with("/timeout", servlet((q, _) -> q.startAsync().complete()));
        try (var log = LogCapture.of(TandemEndpoint.class.getName());
                limited;
                var client = limited.start().client()) {
            client.send("GET /timeout HTTP/1.1\nHost: h\nConnection: close\n\n");
            assertEquals(200, client.response().status());
            assertTrue(client.isClosedByServer());
            assertEquals(List.of(), log.lines());
        }
    }

    @Test
    void responseFromAnotherThreadIsSent() throws Exception {
        try (RawClient client = site.client()) {
            for (int i = 0; i < 20; i++) {
                ask(client, "/later");
                complete(started(), "late " + i);
                assertEquals("late " + i, client.response().text());
            }
            assertEquals("hello", ask(client, "/hello").response().text());
        }
    }

    @Test
    void responseInPartsFromAnotherThreadIsSent() throws Exception {
        try (RawClient client = site.client()) {
            ask(client, "/later");
            AsyncContext context = started();
            var out = context.getResponse().getOutputStream();
            out.print("one");
            out.flush();
            assertTrue(new String(client.bytes(15)).startsWith("HTTP/1.1 200"));
            out.write(new byte[500_000]);
            context.complete();
            byte[] rest = new byte[0];
            for (int i = 0; i < 2000 && !endsChunks(rest); i++) {
                rest = join(rest, client.bytes(65_536));
            }
            assertTrue(rest.length > 500_000);
        }
    }

    private static boolean endsChunks(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).endsWith("\r\n0\r\n\r\n");
    }

    private static byte[] join(byte[] first, byte[] second) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    @Test
    void asyncDispatchReachesAnotherServlet() throws Exception {
        try (RawClient client = site.client()) {
            ask(client, "/later");
            started().dispatch("/hello");
            assertEquals("hello", client.response().text());
        }
    }

    @Test
    void asyncContextRunsTask() throws Exception {
        try (RawClient client = site.client()) {
            assertEquals("run", ask(client, "/run").response().text());
        }
    }

    @Test
    void waitingAsyncRequestsHoldNoThreads() throws Exception {
        var clients = new java.util.ArrayList<RawClient>();
        int before = site.threads();
        try {
            for (int i = 0; i < 50; i++) {
                clients.add(ask(site.client(), "/later"));
            }
            var contexts = new java.util.ArrayList<AsyncContext>();
            for (int i = 0; i < 50; i++) {
                contexts.add(started());
            }
            assertTrue(site.threads() - before < 20, "threads: " + site.threads());
            contexts.forEach(context -> complete(context, "x"));
            for (RawClient client : clients) {
                assertEquals("x", client.response().text());
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void asyncRequestTimesOut() throws Exception {
        try (RawClient client = site.client()) {
            RawResponse response = ask(client, "/timeout").response();
            assertEquals(500, response.status());
            assertEquals("timeout", HEARD.next());
            assertEquals("complete", HEARD.next());
        }
    }

    @Test
    void readListenerReceivesBody() throws Exception {
        try (RawClient client = site.client()) {
            client.send("POST /read HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n");
            for (int i = 0; i < 5; i++) {
                client.send("3\nab" + i + "\n");
                assertEquals("ab" + i, HEARD.next());
            }
            assertEquals("15", client.send("0\n\n").response().text());
            assertEquals("hello", ask(client, "/hello").response().text());
        }
    }

    /// As with a timeout: events of the connection, and other threads, continue the request.
    @Test
    void readListenerReceivesBodyWhereRequestsHaveNoTimeout() throws Exception {
        var endless = new TestTomcat();
        endless.connector.setAsyncTimeout(-1);
        endless.with(
                "/read",
                servlet(
                        (q, _) -> {
                            new Reading(q).begin();
                            HEARD.add("begun");
                        }));
        try (endless;
                RawClient client = endless.start().client()) {
            client.send("POST /read HTTP/1.1\nHost: h\nContent-Length: 3\n\n");
            assertEquals("begun", HEARD.next());
            assertEquals("3", client.send("abc").response().text());
            assertEquals("abc", HEARD.next());
        }
    }

    @Test
    void writeListenerSendsLargeResponse() throws Exception {
        try (RawClient client = site.client()) {
            RawResponse response = ask(client, "/write").response();
            assertEquals(LONG, response.body().length);
            assertEquals("hello", ask(client, "/hello").response().text());
        }
    }

    /// Counts the received bytes.
    private static final class Reading implements ReadListener {
        private final AsyncContext context;
        private final ServletInputStream in;
        private int count;

        Reading(HttpServletRequest request) throws IOException {
            context = request.startAsync();
            in = request.getInputStream();
        }

        void begin() {
            in.setReadListener(this);
        }

        @Override
        public void onDataAvailable() throws IOException {
            var bytes = new byte[100];
            while (in.isReady() && !in.isFinished()) {
                int length = in.read(bytes);
                if (length > 0) {
                    count += length;
                    HEARD.add(new String(bytes, 0, length, StandardCharsets.US_ASCII));
                }
            }
        }

        @Override
        public void onAllDataRead() {
            complete(context, String.valueOf(count));
        }

        @Override
        public void onError(Throwable t) {
            HEARD.add("error " + t);
        }
    }

    /// Sends much data, as fast as the client reads it.
    private static final class Writing implements WriteListener {
        private final AsyncContext context;
        private final ServletOutputStream out;
        private int left = LONG;

        Writing(AsyncContext context) throws IOException {
            this.context = context;
            this.out = context.getResponse().getOutputStream();
        }

        void begin() {
            out.setWriteListener(this);
        }

        @Override
        public void onWritePossible() throws IOException {
            while (left > 0 && out.isReady()) {
                int length = Math.min(left, 100_000);
                out.write(new byte[length]);
                left -= length;
            }
            if (left == 0 && out.isReady()) {
                context.complete();
            }
        }

        @Override
        public void onError(Throwable t) {
            HEARD.add("error " + t);
        }
    }
}
