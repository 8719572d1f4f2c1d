package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Certificates of a real authority, Pebble, and a server that uses them.
class AcmeCertificatesTest {
    private static final String NAME = "www.example.org";

    private final Path folder;
    private final LogCapture log = LogCapture.of("dev.tandem.acme");
    private int httpPort = FreePort.find();
    private int tlsPort = FreePort.find();
    private final Pebble pebble;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(ahead.get());

    /// Trusts everything: what is checked is the certificate that it gets.
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    AcmeCertificatesTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        assumeTrue(Pebble.isHere(), "needs pebble");
        pebble = Pebble.prepare(Files.createDirectory(folder.resolve("pebble")), httpPort, tlsPort);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        pebble.close();
        log.close();
    }

    private AcmeSettings settings(String... names) {
        return AcmeSettings.of(folder.resolve("acme"), names)
                .withDirectory(pebble.directory())
                .withRoots(pebble.roots());
    }

    private AcmeCertificates serve(AcmeSettings settings, EngineChoice engine) throws Exception {
        AcmeCertificates acme = AcmeCertificates.open(settings, clock);
        Server server =
                Tandem.listen("127.0.0.1", tlsPort)
                        .tls(TlsSettings.of(acme).withEngine(engine))
                        .andListen("127.0.0.1", httpPort)
                        .route("GET", AcmeCertificates.PATTERN, acme.handler())
                        .start();
        opened.add(server);
        opened.add(acme);
        acme.start(server::reloadTls);
        return acme;
    }

    private AcmeCertificates serve(AcmeSettings settings) throws Exception {
        return serve(settings, EngineChoice.BEST);
    }

    private static SSLSocket connect(int port, String name, String... protocols) throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAll()}, null);
        var socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        var parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
        return socket;
    }

    /// Returns the certificate that a client gets.
    private X509Certificate served(String name) {
        try (SSLSocket socket = connect(tlsPort, name)) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private boolean isIssued(String name) {
        X509Certificate served = served(name);
        try {
            String names = String.valueOf(served.getSubjectAlternativeNames());
            return names.contains(" " + name + "]")
                    && served.getIssuerX500Principal().getName().contains("Pebble");
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitIssued(String name) {
        Patience.until("a certificate for " + name, () -> isIssued(name));
    }

    /// Waits until the time of the renewal is known, too, which is after the certificate is used.
    ///
    /// @return what is served
    private X509Certificate awaitSettled(String name) {
        Patience.until(
                "a renewal time for " + name,
                () -> !log.messages(each -> each.contains(", to be renewed at ")).isEmpty());
        assertTrue(isIssued(name));
        return served(name);
    }

    @ParameterizedTest
    @EnumSource(names = {"BORINGSSL", "JDK"})
    void namesAreProvedByTls(EngineChoice engine) throws Exception {
        pebble.start();
        serve(settings(NAME, "example.org").withProof(AcmeSettings.Proof.TLS_ALPN_01), engine);
        awaitIssued(NAME);
        awaitIssued("example.org");
    }

    @Test
    void nameIsProvedByHttp() throws Exception {
        pebble.start();
        serve(settings(NAME).withProof(AcmeSettings.Proof.HTTP_01));
        awaitIssued(NAME);
    }

    /// The authority reaches another port than the server's.
    @Test
    void httpIsTriedAfterTls() throws Exception {
        int closed = tlsPort;
        tlsPort = FreePort.find();
        assertTrue(closed != tlsPort);
        pebble.start();
        serve(settings(NAME));
        awaitIssued(NAME);
    }

    @Test
    void failureNamesReasonsAndNextAttempt() throws Exception {
        httpPort = FreePort.find();
        tlsPort = FreePort.find();
        pebble.start();
        AcmeCertificates acme = serve(settings(NAME));
        Patience.until("a failure", () -> failures(acme) == 1);
        String line = log.messages(each -> each.contains("no new certificate")).getFirst();
        assertTrue(
                line.startsWith(NAME + ": no new certificate, there is none; tried again"), line);
        assertTrue(line.contains("by TLS: ") && line.contains("by HTTP: "), line);
        assertEquals("CN=no certificate was issued yet", subject(served(NAME)));
    }

    private static String subject(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    private static double failures(AcmeCertificates acme) {
        return acme.gauges().getLast().value().getAsDouble();
    }

    @Test
    void storedCertificateIsUsedAfterRestart() throws Exception {
        pebble.start();
        serve(settings(NAME));
        awaitIssued(NAME);
        X509Certificate first = served(NAME);
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        opened.clear();
        long orders = pebble.orders();
        pebble.stop();
        serve(settings(NAME));
        assertEquals(first, served(NAME));
        assertEquals(1, orders);
    }

    @Test
    void keysAreOfTheirOwnerOnly() throws Exception {
        pebble.start();
        serve(settings(NAME));
        awaitIssued(NAME);
        try (var all = Files.walk(folder.resolve("acme"))) {
            for (Path each : all.toList()) {
                String wanted = Files.isDirectory(each) ? "rwx------" : "rw-------";
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
                assertEquals(wanted, mode, each::toString);
            }
        }
    }

    /// Certificates of Pebble live for years; the clock of what is due goes ahead.
    @Test
    void renewalUnderLoadFailsNoHandshake() throws Exception {
        pebble.start();
        log.withInformation();
        AcmeCertificates acme = serve(settings(NAME));
        X509Certificate first = awaitSettled(NAME);
        var isOver = new AtomicBoolean();
        var last = new AtomicReference<>(first);
        try (var client = Executors.newSingleThreadExecutor()) {
            Future<?> running =
                    client.submit(
                            () -> {
                                while (!isOver.get()) {
                                    last.set(served(NAME));
                                }
                            });
            Duration life =
                    Duration.between(
                            first.getNotBefore().toInstant(), first.getNotAfter().toInstant());
            ahead.set(life.multipliedBy(3).dividedBy(4));
            acme.wake();
            try {
                Patience.until("a new one", () -> !first.equals(last.get()));
            } finally {
                isOver.set(true);
            }
            running.get();
        }
        assertTrue(isIssued(NAME));
    }

    @Test
    void authorityThatIsDownIsAskedAgain() throws Exception {
        AcmeCertificates acme = serve(settings(NAME));
        Patience.until("a failure", () -> failures(acme) >= 1);
        pebble.start();
        ahead.set(Renewal.DELAY_MIN.plusSeconds(1));
        acme.wake();
        awaitIssued(NAME);
    }

    @Test
    void certificateOfAWrongClockIsNotStored() throws Exception {
        pebble.start();
        AcmeSettings settings = settings(NAME);
        log.withInformation();
        AcmeCertificates acme = serve(settings);
        awaitSettled(NAME);
        byte[] first = Files.readAllBytes(fileOf(settings));
        ahead.set(Duration.ofDays(40_000));
        acme.wake();
        Patience.until("a failure", () -> failures(acme) == 1);
        List<String> lines = log.messages(each -> each.contains("is this machine's clock right?"));
        assertEquals(1, lines.size());
        assertArrayEquals(first, Files.readAllBytes(fileOf(settings)));
    }

    @Test
    void nothingIsOrderedThatCannotBeStored() throws Exception {
        pebble.start();
        Files.writeString(folder.resolve("file"), "");
        AcmeCertificates acme =
                serve(settings(NAME).withStorage(folder.resolve("file").resolve("acme")));
        Patience.until("a failure", () -> failures(acme) == 1);
        assertEquals(0, pebble.orders());
    }

    @Test
    void certificateThatCannotBeStoredIsUsed() throws Exception {
        pebble.start();
        AcmeSettings settings = settings(NAME);
        log.withInformation();
        AcmeCertificates acme = serve(settings);
        X509Certificate first = awaitSettled(NAME);
        Path file = fileOf(settings);
        Files.delete(file);
        Files.createDirectories(file.resolve("in-the-way"));
        ahead.set(Duration.between(Instant.now(), first.getNotAfter().toInstant().minusSeconds(9)));
        acme.wake();
        Patience.until("a new one", () -> !served(NAME).equals(first));
        assertFalse(log.messages(each -> each.contains("cannot be stored")).isEmpty());
        Files.delete(file.resolve("in-the-way"));
        Files.delete(file);
    }

    private static Path fileOf(AcmeSettings settings) throws IOException {
        try (var all = Files.walk(settings.storage())) {
            return all.filter(each -> each.endsWith("fullchain.pem")).findFirst().orElseThrow();
        }
    }

    @Test
    void unknownNamesCauseNoOrders() throws Exception {
        pebble.start();
        var asked = new AtomicInteger();
        AcmeCertificates acme =
                serve(
                        settings(NAME)
                                .withPermission(permission(_ -> false, asked))
                                .withNames(List.of()));
        for (int i = 0; i < 1_000; i++) {
            acme.nameRequested("shop" + i + ".example.org");
        }
        served("visible.example.org");
        Patience.until("some were asked about", () -> asked.get() >= 50);
        assertEquals(0, pebble.orders());
    }

    @Test
    void permittedNameGetsCertificateOnDemand() throws Exception {
        pebble.start();
        serve(
                settings(NAME)
                        .withPermission(
                                permission("customer.example.org"::equals, new AtomicInteger()))
                        .withNames(List.of()));
        awaitIssued("customer.example.org");
        served("stranger.example.org");
        assertEquals(1, pebble.orders());
    }

    private URI permission(Predicate<String> allows, AtomicInteger asked) throws IOException {
        Handler handler =
                x -> {
                    asked.incrementAndGet();
                    x.status(allows.test(x.queryParam("domain")) ? 200 : 403).send("");
                };
        Server site = Tandem.listen("127.0.0.1", 0).route("GET", "/allowed", handler).start();
        opened.add(site);
        return URI.create("http://127.0.0.1:" + site.port() + "/allowed");
    }

    @Test
    void proofIsShownOnlyDuringAnOrder() throws Exception {
        pebble.start();
        serve(settings(NAME));
        awaitIssued(NAME);
        try (SSLSocket socket = connect(tlsPort, NAME, "acme-tls/1")) {
            assertThrows(SSLException.class, socket::startHandshake);
        }
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), httpPort)) {
            socket.getOutputStream()
                    .write(
                            "GET /.well-known/acme-challenge/x HTTP/1.1\r\nHost: a\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            byte[] start = socket.getInputStream().readNBytes(12);
            assertEquals("HTTP/1.1 404", new String(start, StandardCharsets.US_ASCII));
        }
    }
}
