package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The comparison target as servlets.
@Timeout(60)
class ServletTargetTest {
    private ServletTarget target;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        target = new ServletTarget("127.0.0.1", 0, folder);
        client = RawClient.connect(target.start().address());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        target.close();
    }

    @Test
    void echoKeepsTheConnectionAndLogsNothing() throws IOException {
        try (var log = LogCapture.of("")) {
            for (int length : new int[] {3, 0, 200_000, 5}) {
                client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: " + length + "\n\n");
                client.send("x".repeat(length).getBytes());
                assertEquals("x".repeat(length), client.response().text());
            }
            client.send("POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n");
            client.send("3\nabc\n0\n\n");
            assertEquals("abc", client.response().text());
            assertEquals(0, log.lines().stream().filter(line -> line.thrown() != null).count());
        }
    }

    @Test
    void errorPageShowsNoStackTrace() throws IOException {
        client.send("GET /hello HTTP/1.1\nHost: a..b\n\n");
        var response = client.response();
        assertEquals(400, response.status());
        assertFalse(response.text().contains("Exception"), response.text());
        assertFalse(response.text().contains("Tomcat"), response.text());
    }
}
