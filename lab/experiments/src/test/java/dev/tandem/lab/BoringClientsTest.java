package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Outcome;
import dev.tandem.load.Repeat;
import dev.tandem.load.Tls;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoringClientsTest {
    private static Certificate shown;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        assumeTrue(BoringClients.isHere(), "skipped: no BoringSSL here");
        shown = Certificate.make(folder, Certificate.Kind.EC);
    }

    private static Server server() throws IOException {
        var files = CertificateFiles.pem(shown.chain(), shown.key());
        return Tandem.listen("127.0.0.1", 0)
                .tls(TlsSettings.of(files))
                .get("/hello", x -> x.send("Hello, World!"))
                .start();
    }

    /// Three clients that send two requests, each on a connection of its own.
    private static LoadReport play(Server server, Tls tls) throws Exception {
        return Load.of("https://localhost:" + server.port())
                .withArrivals(new Arrivals.Closed(1, 3))
                .withTime(Duration.ZERO)
                .withClient(Client.DEFAULT.withConnectionsKept(false).withTls(tls))
                .run(Repeat.sessions(Call.get("/hello"), 2, Duration.ZERO));
    }

    /// The server's counters agree.
    @ParameterizedTest
    @CsvSource({
        "NONE,    TLSv1.2, 6, 0",
        "NONE,    TLSv1.3, 6, 0",
        "SESSION, TLSv1.2, 3, 3",
        "SESSION, TLSv1.3, 3, 3",
        "ALL,     TLSv1.2, 1, 5",
        "ALL,     TLSv1.3, 1, 5"
    })
    void handshakesResumeAsConfigured(Tls.Reuse reuse, String protocol, int full, int resumed)
            throws Exception {
        try (Server server = server()) {
            var engines = BoringClients.TLS.engines();
            var tls = new Tls(reuse, null, List.of(protocol), List.of(), engines);
            LoadReport report = play(server, tls);
            assertEquals(Map.of(), report.errors());
            assertEquals(6, report.replies().count());
            assertEquals(full, report.connections().handshakes().full());
            assertEquals(resumed, report.connections().handshakes().resumed());
            Patience.until(
                    "the server has counted them",
                    () ->
                            server.handshakes().full().cost().count() == full
                                    && server.handshakes().resumed().cost().count() == resumed);
        }
    }

    @Test
    void onlyTheGivenAuthorityIsTrusted(@TempDir Path folder) throws Exception {
        try (Server server = server()) {
            var engines = BoringClients.TLS.engines();
            var given = new Tls(Tls.Reuse.NONE, shown.chain(), List.of(), List.of(), engines);
            assertEquals(3, play(server, given).sessions().completed());
            Path empty = Files.writeString(folder.resolve("empty.pem"), "");
            var other = new Tls(Tls.Reuse.NONE, empty, List.of(), List.of(), engines);
            LoadReport report = play(server, other);
            assertEquals(Map.of(Outcome.TLS_FAILED, 3L), report.errors());
        }
    }

    @Test
    void unknownCiphersAreReported() throws Exception {
        try (Server server = server()) {
            var engines = BoringClients.TLS.engines();
            var wrong = new Tls(Tls.Reuse.NONE, null, List.of(), List.of("nonsense"), engines);
            String said = "";
            try {
                play(server, wrong);
            } catch (dev.tandem.load.LoadException e) {
                said = String.valueOf(e.getMessage());
            }
            assertTrue(said.contains("no TLS"), said);
        }
    }
}
