package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of other implementations, over sockets.
@ParameterizedClass
@EnumSource(names = {"BORINGSSL", "JDK"})
class ForeignClientsTest {
    private static final int PATIENCE_SECONDS = 60;

    private final EngineChoice engine;
    private final Path folder;

    ForeignClientsTest(EngineChoice engine, @TempDir Path folder) {
        this.engine = engine;
        this.folder = folder;
    }

    private TlsSettings settings(CertificateFiles... files) {
        return TlsSettings.of(files).withEngine(engine);
    }

    private TlsContext context() throws TlsConfigException {
        return TlsContext.open(settings(Credentials.pem("ec"), Credentials.pem("rsa")));
    }

    private String run(String... words) throws IOException, InterruptedException {
        Path in = Files.writeString(folder.resolve("in"), "GET / HTTP/1.0\r\n\r\n");
        Path out = folder.resolve("out");
        Process process =
                new ProcessBuilder(words)
                        .redirectInput(in.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(words[0] + " did not end");
        }
        return Files.readString(out, StandardCharsets.ISO_8859_1);
    }

    private String openssl(BlockingServer server, String... more)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-connect"));
        words.add("127.0.0.1:" + server.port());
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void opensslResumes(String version) throws Exception {
        String session = folder.resolve("session").toString();
        try (var server = new BlockingServer(context())) {
            String first = openssl(server, version, "-sess_out", session);
            assertTrue(first.contains("resumed=false"), first);
            String second = openssl(server, version, "-sess_in", session);
            assertTrue(second.contains("resumed=true"), second);
            assertTrue(second.contains("Reused, TLS"), second);
        }
    }

    @Test
    void opensslResumesBySessionId() throws Exception {
        String session = folder.resolve("session").toString();
        try (var server = new BlockingServer(context())) {
            openssl(server, "-tls1_2", "-no_ticket", "-sess_out", session);
            String second = openssl(server, "-tls1_2", "-no_ticket", "-sess_in", session);
            assertTrue(second.contains("resumed=true"), second);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1", "-tls1_1"})
    void oldVersionsAreRejected(String version) throws Exception {
        try (var server = new BlockingServer(context())) {
            String said = openssl(server, version, "-cipher", "DEFAULT@SECLEVEL=0");
            assertFalse(said.contains("resumed="), said);
            assertTrue(said.contains("alert protocol version"), said);
        }
    }

    @Test
    void weakCiphersAreRejected() throws Exception {
        try (var server = new BlockingServer(context())) {
            String said = openssl(server, "-tls1_2", "-cipher", "AES128-SHA:ECDHE-RSA-AES128-SHA");
            assertTrue(said.contains("handshake failure"), said);
        }
    }

    /// A ticket specifies how much early data a client may send (RFC 8446, section 4.6.1).
    @Test
    void earlyDataIsDisabled() throws Exception {
        try (var server = new BlockingServer(context())) {
            String said = openssl(server, "-tls1_3");
            assertTrue(said.contains("Max Early Data: 0"), said);
        }
    }

    @Test
    void renegotiationIsDisabled() throws Exception {
        try (var server = new BlockingServer(context())) {
            assertTrue(openssl(server, "-tls1_2").contains("Secure Renegotiation IS supported"));
        }
    }

    @Test
    void ocspResponseIsStapled() throws Exception {
        var files = Credentials.pem("client").withOcsp(Credentials.file("ocsp.der"));
        try (var server = new BlockingServer(TlsContext.open(settings(files)))) {
            String said = openssl(server, "-status");
            boolean isStapled = said.contains("OCSP Response Status: successful");
            assertTrue(isStapled == (engine == EngineChoice.BORINGSSL), said);
        }
    }

    @Test
    void clientCertificatesAreRequested() throws Exception {
        TlsSettings asked =
                settings(Credentials.pem("ec"))
                        .withClientCertificates(
                                ClientCertificateMode.REQUIRED, Credentials.file("ca.pem"));
        String client = Credentials.file("client.pem").toString();
        String key = Credentials.file("client.key").toString();
        String stranger = Credentials.file("stranger.pem").toString();
        String strangersKey = Credentials.file("stranger.key").toString();
        try (var server = new BlockingServer(TlsContext.open(asked))) {
            assertTrue(openssl(server, "-cert", client, "-key", key).contains("certificates=1"));
            String said = openssl(server, "-cert", stranger, "-key", strangersKey);
            assertFalse(said.contains("certificates="), said);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void curlGetsResponse(String version) throws Exception {
        Credentials.assumeHere("curl");
        try (var server = new BlockingServer(context())) {
            String said =
                    run(
                            "curl",
                            "-sS",
                            "--tls-max",
                            version,
                            "--cacert",
                            Credentials.file("ec.pem").toString(),
                            "https://127.0.0.1:" + server.port() + "/");
            assertTrue(said.contains("resumed=false version=TLSv" + version), said);
        }
    }
}
