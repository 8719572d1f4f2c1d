package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.RawClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client that expects 100 Continue and does not wait for it (RFC 9110, section 10.1.1).
class ExpectedBodyTest {

    @Test
    void bodyThatArrivesWithItsHeadIsReadWhole(@TempDir Path root) throws Exception {
        String body = "x".repeat(60_000);
        try (var server = EchoSite.start(root);
                var client = RawClient.connect(server.address())) {
            client.send(
                    "POST /echo HTTP/1.1\nHost: a\nExpect: 100-continue\nContent-Length: 60000\n\n"
                            + body);
            assertEquals(body, client.response().text());
        }
    }
}
