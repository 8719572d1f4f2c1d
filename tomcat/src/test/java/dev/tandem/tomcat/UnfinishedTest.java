package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An application that does not complete its async requests.
@Timeout(60)
class UnfinishedTest {
    private static final Logger LOG = Logger.getLogger(TandemEndpoint.class.getName());

    private static final class Lines extends Handler {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void theOldestAreEndedAndTheRouteIsNamed() throws Exception {
        var log = new Lines();
        LOG.addHandler(log);
        var clients = new ArrayList<RawClient>();
        try (Site site = new Site()) {
            site.connector.setProperty("asyncRequestsMax", "3");
            site.with("/leak", servlet((q, _) -> q.startAsync().setTimeout(0)));
            site.with("/good", servlet((_, s) -> s.getWriter().print("good")));
            site.start();
            for (int i = 0; i < 5; i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send("GET /leak HTTP/1.1\nHost: h\n\n");
                int open = i + 1;
                Patience.until("it is open", () -> isNamed(log) || site.openCount() == open);
            }
            // As Catalina answers for an application that has let the time go by.
            assertEquals(500, clients.get(0).response().status());
            assertEquals(500, clients.get(1).response().status());
            Patience.until("the others are left", () -> site.openCount() == 3);
            assertTrue(isNamed(log), () -> log.lines.toString());
            RawClient other = site.client();
            clients.add(other);
            assertEquals("good", other.send("GET /good HTTP/1.1\nHost: h\n\n").response().text());
        } finally {
            LOG.removeHandler(log);
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static boolean isNamed(Lines log) {
        return log.lines.stream()
                .anyMatch(line -> line.startsWith("/leak does not complete its async requests: "));
    }
}
