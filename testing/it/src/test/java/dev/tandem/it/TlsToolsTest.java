package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS connections by curl and openssl, with each engine.
@ParameterizedClass
@EnumSource(
        value = EngineChoice.class,
        names = {"BORINGSSL", "JDK"})
class TlsToolsTest {
    private static final Tool CURL = Tool.curl();
    private static final Tool OPENSSL = Tool.openssl();

    private final EngineChoice engine;
    private final Path folder;
    private final TlsPapers papers;

    TlsToolsTest(EngineChoice engine, @TempDir Path folder) throws Exception {
        this.engine = engine;
        this.folder = folder;
        papers = TlsPapers.in(folder);
    }

    private TlsSettings settings() {
        return TlsSettings.of(papers.pem("site"), papers.pem("other")).withEngine(engine);
    }

    private static Server start(TlsSettings settings) throws IOException {
        return Tandem.listen("127.0.0.1", 0).tls(settings).get("/", TlsToolsTest::describe).start();
    }

    private static void describe(Exchange x) throws IOException {
        TlsSessionInfo s = x.request().tlsSession();
        if (s == null) {
            throw new IOException("no TLS");
        }
        var names = s.clientCertificates().stream().map(c -> c.getSubjectX500Principal()).toList();
        var from = (InetSocketAddress) x.request().remoteAddress();
        x.send(
                "tls %s resumed=%s clients=%s from=%s\n"
                        .formatted(
                                s.protocol(),
                                s.isResumed(),
                                names,
                                from.getAddress().getHostAddress()));
    }

    private String curl(String url, String... more) throws Exception {
        var words = new ArrayList<>(List.of("--cacert", folder.resolve("ca.pem").toString()));
        words.addAll(List.of(more));
        words.add(url);
        return CURL.run(folder, words.toArray(String[]::new));
    }

    private static String url(Server server) {
        return "https://localhost:" + server.port() + "/";
    }

    /// Requests `/`, reads to the end, and returns openssl's output on TLS and the response.
    private String openssl(Server server, String... more) throws Exception {
        Files.writeString(folder.resolve("in"), "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
        var words = new ArrayList<>(List.of("s_client", "-ign_eof", "-connect"));
        words.add("127.0.0.1:" + server.port());
        words.addAll(List.of(more));
        return OPENSSL.reading(folder.resolve("in")).run(folder, words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void curlGetsAResponseByEachVersion(String version) throws Exception {
        try (Server server = start(settings())) {
            String response = curl(url(server), "--tls-max", version, "--resolve", resolve(server));
            assertEquals(
                    "tls TLSv" + version + " resumed=false clients=[] from=127.0.0.1\n", response);
        }
    }

    private static String resolve(Server server) {
        return "localhost:" + server.port() + ":127.0.0.1";
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2", "-tls1_2 -no_ticket"})
    void opensslResumesByTicketAndBySession(String how) throws Exception {
        String session = folder.resolve("session").toString();
        try (Server server = start(settings())) {
            var words = new ArrayList<>(List.of(how.split(" ")));
            words.addAll(List.of("-sess_out", session));
            String first = openssl(server, words.toArray(String[]::new));
            assertTrue(first.contains("resumed=false"), first);
            words.set(words.size() - 2, "-sess_in");
            String second = openssl(server, words.toArray(String[]::new));
            assertTrue(second.contains("Reused, TLS"), second);
            assertTrue(second.contains("resumed=true"), second);
            assertEquals(1, server.tlsCounters().getFirst().resumedHandshakes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2"})
    void ticketKeysFromAFileSurviveARestart(String version) throws Exception {
        assumeTrue(engine == EngineChoice.BORINGSSL, "the JDK's ticket keys are its own");
        TlsSettings kept = settings().withTicketKeys(folder.resolve("ticket.keys"));
        String session = folder.resolve("session").toString();
        try (Server server = start(kept)) {
            openssl(server, version, "-sess_out", session);
        }
        try (Server server = start(kept)) {
            String second = openssl(server, version, "-sess_in", session);
            assertTrue(second.contains("resumed=true"), second);
        }
    }

    @Test
    void serverNameSelectsTheCertificate() throws Exception {
        try (Server server = start(settings())) {
            String other = openssl(server, "-servername", "other.test");
            assertTrue(other.contains("subject=CN = other"), other);
            String site = openssl(server, "-servername", "localhost");
            assertTrue(site.contains("subject=CN = site"), site);
        }
    }

    @Test
    void protocolIsNegotiated() throws Exception {
        try (Server server = start(settings())) {
            String said = openssl(server, "-alpn", "h3,http/1.1");
            assertTrue(said.contains("ALPN protocol: http/1.1"), said);
            String none = openssl(server, "-alpn", "h3");
            assertFalse(none.contains("tls TLSv"), none);
        }
    }

    @Test
    void ocspResponseIsStapled() throws Exception {
        TlsSettings stapling =
                TlsSettings.of(papers.pem("site").withOcsp(folder.resolve("site.ocsp")))
                        .withEngine(engine);
        try (Server server = start(stapling)) {
            String said = openssl(server, "-status");
            boolean isStapled = said.contains("OCSP Response Status: successful");
            assertEquals(engine == EngineChoice.BORINGSSL, isStapled, said);
        }
    }

    @Test
    void clientCertificateIsRequestedAndReported() throws Exception {
        TlsSettings asking =
                settings()
                        .withClientCertificates(
                                ClientCertificateMode.REQUIRED, folder.resolve("ca.pem"));
        String shown = folder.resolve("client.pem").toString();
        String key = folder.resolve("client.key").toString();
        try (Server server = start(asking)) {
            String response =
                    curl(url(server), "--cert", shown, "--key", key, "--resolve", resolve(server));
            assertTrue(response.contains("clients=[CN=client"), response);
            assertEquals("", curl(url(server), "--resolve", resolve(server)));
        }
    }

    @Test
    void proxyProtocolGivesTheClientsAddress() throws Exception {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .tls(settings())
                        .behindProxy("127.0.0.0/8")
                        .get("/", TlsToolsTest::describe);
        try (Server server = tandem.start()) {
            String[] words = {"--haproxy-protocol", "--resolve", resolve(server)};
            String response = curl(url(server), words);
            assertTrue(response.contains("from=127.0.0.1"), response);
            assertEquals("", curl(url(server), "--resolve", resolve(server)), "no PROXY, no word");
        }
    }

    @Test
    void plainHttpGetsTheHttpsAddress() throws Exception {
        try (Server server = start(settings())) {
            String response = curl("http://127.0.0.1:" + server.port() + "/", "-w", "%{http_code}");
            assertTrue(response.startsWith("400 Bad Request"), response);
            assertTrue(response.contains("https://"), response);
            assertTrue(response.endsWith("400"), response);
        }
    }

    @Test
    void keyOfAnotherCertificateIsReportedAtTheStart() {
        CertificateFiles mixed =
                CertificateFiles.pem(folder.resolve("site.pem"), folder.resolve("other.key"));
        IOException e =
                org.junit.jupiter.api.Assertions.assertThrows(
                        IOException.class,
                        () -> start(TlsSettings.of(mixed).withEngine(engine)).close());
        assertTrue(String.valueOf(e.getMessage()).contains("other.key"), e.getMessage());
    }
}
