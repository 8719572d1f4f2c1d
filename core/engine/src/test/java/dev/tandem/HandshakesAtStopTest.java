package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.TestCertificate;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A client whose TLS handshake has begun has sent no request that it could repeat elsewhere.
class HandshakesAtStopTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static Server start() throws IOException {
        return Tandem.listen("127.0.0.1", 0)
                .tls(TlsSettings.of(TestCertificate.files()))
                .get("/", x -> x.send("Hello"))
                .start();
    }

    private static Socket connect(Server server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port(server));
    }

    private static int port(Server server) {
        return server.address().getPort();
    }

    @Test
    void handshakeThatHasBegunIsFinishedAndItsRequestServed() throws Exception {
        Server server = start();
        try (Socket plain = connect(server)) {
            Patience.until("it is accepted", () -> server.connectionCount() == 1);
            var stopped =
                    CompletableFuture.supplyAsync(() -> server.stop(Duration.ofMinutes(5), LONG));
            Patience.until("it stops", () -> isRefused(server));
            var context = TestCertificate.trust();
            try (Socket secured =
                    context.getSocketFactory()
                            .createSocket(plain, "localhost", port(server), true)) {
                secured.getOutputStream()
                        .write(
                                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                String response =
                        new String(
                                secured.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(response.startsWith("HTTP/1.1 200"), response);
                assertTrue(response.contains("Connection: close"), response);
                assertTrue(response.endsWith("Hello"), response);
            }
            assertTrue(stopped.get());
        }
    }

    @Test
    void silentClientHoldsUpNoStopForAllOfItsGrace() throws Exception {
        Server server = start();
        try (Socket _ = connect(server)) {
            Patience.until("it is accepted", () -> server.connectionCount() == 1);
            assertTrue(server.stop(LONG, Duration.ofMillis(20)));
        }
    }

    private static boolean isRefused(Server server) {
        try (Socket _ = connect(server)) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
