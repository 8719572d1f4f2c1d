package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Limits on chunked bodies set by the connector's attributes, counted as stock counts them.
class ChunkLimitsTest {
    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.connector.setProperty("maxExtensionSize", "1000");
        site.connector.setProperty("maxTrailerSize", "19");
        site.with("/", servlet((q, s) -> s.getWriter().print(read(q.getInputStream()))));
        site.start();
    }

    private static int read(java.io.InputStream body) throws IOException {
        return body.readAllBytes().length;
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private static int status(String body) throws IOException {
        try (RawClient client = site.client()) {
            String head = "POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n";
            return client.send(head + body).response().status();
        }
    }

    @Test
    void tooLongChunkExtensionIsRejected() throws Exception {
        String name = ";x=";
        assertEquals(200, status("3" + name + "y".repeat(997) + "\nabc\n0\n\n"));
        assertEquals(400, status("3" + name + "y".repeat(998) + "\nabc\n0\n\n"));
    }

    @Test
    void tooLongTrailersAreRejected() throws Exception {
        assertEquals(200, status("3\nabc\n0\nx-trailer: Test\n\n"));
        assertEquals(400, status("3\nabc\n0\nx-trailer: Tests\n\n"));
    }

    @Test
    void chunkOfTwoGibibytesIsRejected() throws Exception {
        assertEquals(200, status("00000003\nabc\n0\n\n"));
        assertEquals(400, status("000000003\nabc\n0\n\n"));
        assertEquals(400, status("80000000\nabc\n0\n\n"));
    }
}
