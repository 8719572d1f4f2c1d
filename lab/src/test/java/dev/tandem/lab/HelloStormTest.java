package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HelloStormTest {

    @ParameterizedTest
    @EnumSource
    void newcomersAreAnsweredAndLeave(Certificate.Kind key, @TempDir Path folder) throws Exception {
        Certificate shown = Certificate.make(folder, key);
        var files = CertificateFiles.pem(shown.chain(), shown.key());
        try (Server server = Tandem.listen("127.0.0.1", 0).tls(TlsSettings.of(files)).start()) {
            try (var storm = HelloStorm.closed(server.port(), 4)) {
                Patience.until("answers", () -> storm.counts().answered() > 20);
                assertEquals(0, storm.counts().turnedAway());
            }
            Patience.until("all have left", () -> server.connectionCount() == 0);
            assertTrue(server.handshakes().full().price().count() > 20);
            assertEquals(0, server.handshakes().resumed().admitted());
        }
    }

    @Test
    void whoIsNotAnsweredGivesUpAndNoMoreComeThanThereIsRoomFor() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var storm = HelloStorm.open(silent.getLocalPort(), 1_000, 10)) {
            Patience.until("they give up", () -> storm.counts().gaveUp() >= 10);
            var counts = storm.counts();
            assertEquals(0, counts.answered());
            assertTrue(counts.begun() <= counts.gaveUp() + 10, counts.toString());
        }
    }

    @Test
    void whoIsShutOutIsTurnedAway() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (var storm = HelloStorm.open(port, 200, 10)) {
            Patience.until("they are turned away", () -> storm.counts().turnedAway() > 5);
            assertEquals(0, storm.counts().answered());
        }
    }
}
