package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.Said;
import dev.tandem.engine.TestCertificate;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections over TLS that have switched protocols, and are read in parts smaller than a record.
@Timeout(30)
class UpgradedOverTlsTest {
    /// Bytes in a record of 16,385, one more than the buffer of the proxy's tunnels. The
    /// JDK's engine makes none of the full length, 16,384 (RFC 8446, section 5.1).
    private static final int RECORD = 16_363;

    /// Echoes on the loop.
    private static final class LoopEcho implements LoopHandler {
        private final byte[] buffer;
        private boolean isUpgraded;

        LoopEcho(int size) {
            buffer = new byte[size];
        }

        @Override
        public void proceed(LoopExchange on) throws IOException {
            if (!isUpgraded) {
                isUpgraded = true;
                on.upgrade("echo");
            }
            int count = on.read(buffer, 0, buffer.length);
            while (count > 0) {
                on.write(buffer, 0, count);
                count = on.read(buffer, 0, buffer.length);
            }
            if (count < 0) {
                on.end();
            }
        }

        @Override
        public void ended() {}
    }

    private static void echo(UpgradedConnection tunnel, int size) throws IOException {
        var buffer = new byte[size];
        for (int count = tunnel.read(buffer); count > 0; count = tunnel.read(buffer)) {
            tunnel.write(buffer, 0, count);
        }
    }

    private static void handle(Exchange x) throws IOException {
        int size = Integer.parseInt(String.valueOf(x.queryParam("size")));
        if ("loop".equals(x.pathParam("path"))) {
            LoopExchange.begin(x, new LoopEcho(size));
        } else {
            x.upgrade("echo", tunnel -> echo(tunnel, size));
        }
    }

    private static Server start(EngineChoice engine) throws IOException {
        return Tandem.listen("127.0.0.1", 0)
                .tls(TlsSettings.of(TestCertificate.files()).withEngine(engine))
                .get("/{path}", UpgradedOverTlsTest::handle)
                .start();
    }

    private static String upgrade(Said client, String path, int size) throws IOException {
        client.say(
                ("GET %s?size=%d HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\n"
                                + "Upgrade: echo\r\n\r\n")
                        .formatted(path, size),
                "",
                false);
        String head = client.until("\r\n\r\n");
        assertTrue(head.startsWith("HTTP/1.1 101 "), head);
        return head;
    }

    @ParameterizedTest
    @CsvSource({
        "BORINGSSL, /loop, 16384",
        "BORINGSSL, /loop, 100",
        "BORINGSSL, /worker, 16384",
        "BORINGSSL, /worker, 100",
        "JDK, /loop, 16384",
        "JDK, /worker, 100"
    })
    void recordThatIsLongerThanTheBufferIsReadInParts(EngineChoice engine, String path, int size)
            throws IOException {
        Server server = start(engine);
        try (Said client = Said.to(server.address())) {
            String head = upgrade(client, path, size);
            client.say("a".repeat(RECORD), "b".repeat(RECORD - 1) + ".", false);
            assertEquals(
                    head + "a".repeat(RECORD) + "b".repeat(RECORD - 1) + ".", client.until("."));
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/loop", "/worker"})
    void clientThatResetsIsNotLogged(String path) throws IOException {
        Server server = start(EngineChoice.BEST);
        try (var log = LogCapture.of("dev.tandem.engine");
                Said client = Said.to(server.address())) {
            upgrade(client, path, 100);
            client.reset();
            Patience.until("closed", () -> server.connectionCount() == 0);
            server.stop(Duration.ofSeconds(5));
            assertEquals(List.of(), log.messages(line -> line.contains("failed")));
        } finally {
            server.stop(Duration.ZERO);
        }
    }
}
