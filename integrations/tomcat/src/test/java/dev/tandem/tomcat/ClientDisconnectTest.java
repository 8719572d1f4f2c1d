package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.ClientAbortException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What servlets see of clients that disconnect, or that send the end of the body in pieces.
class ClientDisconnectTest {
    private static final EventLog HEARD = new EventLog();

    /// Separate, because threads of a servlet may still read when their test is over.
    private static final EventLog READ = new EventLog();

    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.with(
                "/upload",
                servlet((q, _) -> reportOutcome(() -> q.getInputStream().readAllBytes())));
        site.with("/endless", servlet((_, s) -> reportOutcome(() -> writeForEver(s))));
        site.with(
                "/held", servlet((q, s) -> new Held(q.startAsync(), s.getOutputStream()).begin()));
        site.with("/sends", servlet((q, _) -> sendEvents(q.startAsync())));
        site.with("/own", servlet((q, _) -> new OwnThread(q).begin()));
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private interface Action {
        void act() throws IOException;
    }

    private static void reportOutcome(Action action) throws IOException {
        try {
            action.act();
            HEARD.add("done");
        } catch (ClientAbortException e) {
            HEARD.add("abort");
            throw e;
        }
    }

    private static void writeForEver(HttpServletResponse response) throws IOException {
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < 10_000; i++) {
            response.getOutputStream().write(bytes);
        }
    }

    /// Writes until the output is blocked.
    private record Held(AsyncContext context, ServletOutputStream out) implements WriteListener {
        void begin() {
            out.setWriteListener(this);
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                out.write(new byte[100_000]);
            }
            HEARD.add("held");
        }

        @Override
        public void onError(Throwable e) {
            HEARD.add("error");
            context.complete();
        }
    }

    /// Sends events on a thread of its own until a listener reports an error.
    private static void sendEvents(AsyncContext context) {
        var events = new CountDownLatch(1);
        context.setTimeout(0);
        context.addListener(HEARD);
        context.addListener(
                new EventLog() {
                    @Override
                    public void onError(AsyncEvent event) {
                        events.countDown();
                        context.complete();
                    }
                });
        Thread.ofVirtual().start(() -> send(context, events));
    }

    private static void send(AsyncContext context, CountDownLatch events) {
        try {
            var out = context.getResponse().getWriter();
            do {
                out.println("event");
                out.flush();
            } while (!events.await(1, TimeUnit.MILLISECONDS));
        } catch (IOException | InterruptedException e) {
            HEARD.add(e.toString());
        }
    }

    /// Reads on threads of its own.
    private static final class OwnThread implements ReadListener {
        private final AsyncContext context;
        private final ServletInputStream in;

        OwnThread(HttpServletRequest request) throws IOException {
            in = request.getInputStream();
            context = request.startAsync();
        }

        void begin() {
            in.setReadListener(this);
        }

        @Override
        public void onDataAvailable() {
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try {
                byte[] bytes = new byte[100];
                do {
                    int count = in.read(bytes);
                    READ.add(count < 0 ? "end" : new String(bytes, 0, count));
                } while (in.isReady());
            } catch (IOException | IllegalStateException e) {
                READ.add(e.toString());
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            context.getResponse().getOutputStream().print("all");
            context.complete();
        }

        @Override
        public void onError(Throwable e) {
            READ.add("error");
        }
    }

    @Test
    void truncatedUploadIsClientAbort() throws Exception {
        try (RawClient client = site.client()) {
            client.send("POST /upload HTTP/1.1\nHost: h\nContent-Length: 10\n\nabc").cut();
            assertEquals("abort", HEARD.next());
        }
    }

    @Test
    void disconnectDuringWriteIsClientAbort() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /endless HTTP/1.1\nHost: h\n\n").bytes(1000);
            client.reset();
            assertEquals("abort", HEARD.next());
        }
    }

    @Test
    void disconnectOfBlockedWriterIsReportedAsError() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /held HTTP/1.1\nHost: h\n\n").bytes(1000);
            assertEquals("held", HEARD.next());
            client.reset();
            String next = HEARD.next();
            for (int i = 0; i < 1000 && next.equals("held"); i++) {
                next = HEARD.next(); // the client's kernel has accepted more meanwhile
            }
            assertEquals("error", next);
        }
    }

    /// A `PrintWriter` throws no exceptions: the listener reports the disconnect. The client stays
    /// until the servlet has returned long ago; [LateAsyncErrorTest] is about the moment before.
    @Test
    void disconnectOfEventStreamIsReportedAsError() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /sends HTTP/1.1\nHost: h\n\n").bytes(3_000);
        }
        assertEquals("error", HEARD.next());
        assertEquals("complete", HEARD.next());
    }

    @Test
    void endOfBodyInPiecesIsReportedToReadListener() throws Exception {
        try (RawClient client = site.client()) {
            client.send("POST /own HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n3\nabc\n");
            assertEquals("abc", READ.next());
            client.send("0\nx-a: ");
            READ.assertNoneWithin(100); // no content yet
            assertEquals("all", client.send("b\n\n").response().text());
        }
    }
}
