package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Adapter;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.junit.jupiter.api.Test;

/// A write that fails after Catalina has looked for errors of an async request, and before the
/// thread that called the servlet leaves the request to the application.
class LateAsyncErrorTest {
    private static final long PATIENCE_SECONDS = 20;

    private final EventLog heard = new EventLog();
    private final CountDownLatch hasReturned = new CountDownLatch(1);
    private final CountDownLatch hasFailed = new CountDownLatch(1);

    /// Catalina, whose calls of the servlet return when the application's thread has failed.
    private final class Late implements Adapter {
        private final Adapter catalina;

        Late(Adapter catalina) {
            this.catalina = catalina;
        }

        @Override
        public void service(Request request, Response response) throws Exception {
            catalina.service(request, response);
            hasReturned.countDown();
            assertTrue(hasFailed.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }

        @Override
        public boolean prepare(Request request, Response response) throws Exception {
            return catalina.prepare(request, response);
        }

        @Override
        public boolean asyncDispatch(Request request, Response response, SocketEvent event)
                throws Exception {
            return catalina.asyncDispatch(request, response, event);
        }

        @Override
        public void log(Request request, Response response, long time) {
            catalina.log(request, response, time);
        }

        @Override
        public void checkRecycled(Request request, Response response) {
            catalina.checkRecycled(request, response);
        }

        @Override
        public String getDomain() {
            return catalina.getDomain();
        }
    }

    private void begin(AsyncContext context) {
        context.setTimeout(0);
        context.addListener(heard);
        context.addListener(
                new EventLog() {
                    @Override
                    public void onError(AsyncEvent event) {
                        context.complete();
                    }
                });
        Thread.ofPlatform().start(() -> sendUntilItFails(context));
    }

    private void sendUntilItFails(AsyncContext context) {
        try {
            var out = context.getResponse().getWriter();
            hasReturned.await();
            do {
                out.println("event");
            } while (!out.checkError());
            hasFailed.countDown();
        } catch (IOException | InterruptedException e) {
            heard.add(e.toString());
        }
    }

    @Test
    void lateErrorIsReportedToListeners() throws Exception {
        try (var site = new TestTomcat()) {
            site.with("/sends", servlet((q, _) -> begin(q.startAsync()))).start();
            ProtocolHandler handler = site.connector.getProtocolHandler();
            handler.setAdapter(new Late(handler.getAdapter()));
            try (RawClient client = site.client()) {
                client.send("GET /sends HTTP/1.1\nHost: h\n\n");
                hasReturned.await();
                client.reset();
                assertEquals("error", heard.next());
                assertEquals("complete", heard.next());
            }
        }
    }
}
