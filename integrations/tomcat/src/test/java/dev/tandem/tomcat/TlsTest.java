package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.file.ConfigFileLoader;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `SSLEnabled="true"` with `<SSLHostConfig>`: what servlets see of a connection's TLS.
class TlsTest {
    private static final String PREFIX = "jakarta.servlet.request.";

    /// The attribute has a standard name since Servlet 6.1, which is Tomcat 11's.
    private static final String PROTOCOL =
            System.getProperty("tomcat.version", "").startsWith("10.")
                    ? "org.apache.tomcat.util.net.secure_protocol_version"
                    : PREFIX + "secure_protocol";

    private static SSLHostConfig host(TestKeyStore store) {
        var host = new SSLHostConfig();
        var certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(store.path().toString());
        certificate.setCertificateKeystorePassword(TestKeyStore.PASSWORD);
        host.addCertificate(certificate);
        return host;
    }

    private static TestTomcat site(SSLHostConfig host) throws IOException {
        var site = new TestTomcat();
        site.connector.setProperty("SSLEnabled", "true");
        site.connector.setScheme("https");
        site.connector.setSecure(true);
        site.connector.addSslHostConfig(host);
        return site.with("/tls", servlet((q, s) -> s.getWriter().print(describe(q))))
                .with("/client", servlet((q, s) -> s.getWriter().print(client(q))))
                .with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
    }

    private static String describe(HttpServletRequest q) {
        Object id = q.getAttribute(PREFIX + "ssl_session_id");
        return q.getScheme()
                + " "
                + q.isSecure()
                + " "
                + q.getAttribute(PROTOCOL)
                + " "
                + q.getAttribute(PREFIX + "cipher_suite")
                + " "
                + q.getAttribute(PREFIX + "key_size")
                + " "
                + (id instanceof String text && text.matches("[0-9a-f]{64}"));
    }

    private static String client(HttpServletRequest q) {
        Object chain = q.getAttribute(PREFIX + "X509Certificate");
        return chain == null
                ? "none"
                : ((X509Certificate[]) chain)[0].getSubjectX500Principal().getName();
    }

    private static String get(TestTomcat site, SSLContext client, String path, String... protocols)
            throws IOException {
        try (var socket =
                (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", site.port())) {
            socket.setSoTimeout(20_000);
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            String request = "GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String response =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(response.startsWith("HTTP/1.1 200 "), response);
            return response.substring(response.indexOf("\r\n\r\n") + 4);
        }
    }

    @Test
    void servletSeesProtocolAndCipher() throws Exception {
        try (TestTomcat site = site(host(TestKeyStore.FIRST)).start()) {
            SSLContext client = TestKeyStore.FIRST.anonymousClient();
            String new13 = get(site, client, "/tls", "TLSv1.3");
            assertTrue(new13.matches("https true TLSv1\\.3 TLS_[A-Z0-9_]+ (128|256) .*"), new13);
            String new12 = get(site, client, "/tls", "TLSv1.2");
            assertTrue(
                    new12.matches("https true TLSv1\\.2 TLS_ECDHE_ECDSA_[A-Z0-9_]+ (128|256) .*"),
                    new12);
        }
    }

    /// Independent of the working directory: with `conf/…`, as in Tomcat's own `server.xml`.
    @Test
    void pemFilesAreRelativeToCatalinaBase() throws Exception {
        KeyStore store = TestKeyStore.FIRST.open();
        String alias = store.aliases().nextElement();
        var host = new SSLHostConfig();
        var certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
        certificate.setCertificateFile("conf/c.pem");
        certificate.setCertificateKeyFile("conf/k.pem");
        host.addCertificate(certificate);
        host.setCertificateVerification("optional");
        host.setCaCertificateFile("conf/c.pem");
        try (TestTomcat site = site(host)) {
            // The base of the first Tomcat in this JVM, which may be an earlier test's.
            Path conf = Path.of(ConfigFileLoader.getSource().getURI("conf"));
            Files.createDirectories(conf);
            pem(conf.resolve("c.pem"), "CERTIFICATE", store.getCertificate(alias).getEncoded());
            Key key = store.getKey(alias, TestKeyStore.PASSWORD.toCharArray());
            pem(conf.resolve("k.pem"), "PRIVATE KEY", key.getEncoded());
            site.start();
            assertEquals(
                    "CN=first", get(site, TestKeyStore.FIRST.authenticatedClient(), "/client"));
            new WorkFolder(conf).delete(conf);
        }
    }

    private static void pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder().encodeToString(content);
        String frame = "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n";
        Files.writeString(file, frame.formatted(what, text));
    }

    @Test
    void servletSeesClientCertificate() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setCertificateVerification("optional");
        host.setTruststoreFile(TestKeyStore.FIRST.path().toString());
        host.setTruststorePassword(TestKeyStore.PASSWORD);
        try (TestTomcat site = site(host).start()) {
            assertEquals(
                    "CN=first", get(site, TestKeyStore.FIRST.authenticatedClient(), "/client"));
            assertEquals("none", get(site, TestKeyStore.FIRST.anonymousClient(), "/client"));
        }
    }

    /// As with the stock connectors, which request one later, by renegotiation of TLS 1.2: without
    /// `certificateVerification`, also for an application that is deployed at run time.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void certificateIsRequestedForApplicationThatDeclaresClientCert(boolean isAtStart)
            throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setTruststoreFile(TestKeyStore.FIRST.path().toString());
        host.setTruststorePassword(TestKeyStore.PASSWORD);
        try (TestTomcat site = site(host)) {
            if (!isAtStart) {
                site.start();
                SSLContext client = TestKeyStore.FIRST.authenticatedClient();
                assertEquals("none", get(site, client, "/client"));
            }
            site.tomcat.getHost().addChild(applicationThatDeclaresClientCert());
            if (isAtStart) {
                site.start();
            }
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                SSLContext client = TestKeyStore.FIRST.authenticatedClient();
                assertEquals("CN=first", get(site, client, "/client", version));
                SSLContext anonymous = TestKeyStore.FIRST.anonymousClient();
                assertEquals("none", get(site, anonymous, "/client", version));
            }
        }
    }

    private static Context applicationThatDeclaresClientCert() {
        Context application = new StandardContext();
        application.setPath("/app");
        application.setName("/app");
        application.addLifecycleListener(new Tomcat.FixContextListener());
        application.setLoginConfig(new LoginConfig("CLIENT-CERT", null, null, null));
        return application;
    }

    /// Revoked certificates would be accepted, though the configuration names them.
    @Test
    void noCertificateIsRequestedWhereItCannotBeCheckedAsConfigured() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setTruststoreFile(TestKeyStore.FIRST.path().toString());
        host.setTruststorePassword(TestKeyStore.PASSWORD);
        host.setCertificateRevocationListFile("revoked.pem");
        try (var log = LogCapture.of(TandemEndpoint.class.getName());
                TestTomcat site = site(host)) {
            site.tomcat.getHost().addChild(applicationThatDeclaresClientCert());
            site.start();
            assertEquals("none", get(site, TestKeyStore.FIRST.authenticatedClient(), "/client"));
            List<String> lines = log.messages(m -> m.contains("no client is asked"));
            assertFalse(lines.isEmpty(), log.lines()::toString);
            assertTrue(lines.getFirst().contains("certificateRevocationList"), lines::toString);
        }
    }

    /// The check at the start would be passed by.
    @Test
    void requestedCertificatesAreCheckedAsReplacedHostsSay() throws Exception {
        try (TestTomcat site = site(trusting(TestKeyStore.FIRST))) {
            site.tomcat.getHost().addChild(applicationThatDeclaresClientCert());
            site.start();
            SSLHostConfig other = trusting(TestKeyStore.SECOND);
            other.setHostName("other.example");
            SSLHostConfig revoking = trusting(TestKeyStore.FIRST);
            revoking.setCertificateRevocationListFile("revoked.pem");
            SSLHostConfig trustless = host(TestKeyStore.FIRST);
            assertRejected(site, other, "other.example");
            assertRejected(site, revoking, "certificateRevocationList");
            assertRejected(site, trustless, "client certificates need truststoreFile");
            protocol(site).reloadSslHostConfigs();
            assertEquals(
                    "CN=first", get(site, TestKeyStore.FIRST.authenticatedClient(), "/client"));
        }
    }

    @Test
    void hostWithoutAuthoritiesDoesNotReplaceOneThatRequiresCertificates() throws Exception {
        SSLHostConfig required = trusting(TestKeyStore.FIRST);
        required.setCertificateVerification("required");
        try (TestTomcat site = site(required).start()) {
            SSLHostConfig trustless = host(TestKeyStore.FIRST);
            trustless.setCertificateVerification("required");
            assertRejected(site, trustless, "client certificates need truststoreFile");
            protocol(site).reloadSslHostConfigs();
        }
    }

    private static SSLHostConfig trusting(TestKeyStore store) {
        SSLHostConfig host = host(store);
        host.setTruststoreFile(store.path().toString());
        host.setTruststorePassword(TestKeyStore.PASSWORD);
        return host;
    }

    private static TandemProtocol protocol(TestTomcat site) {
        return (TandemProtocol) site.connector.getProtocolHandler();
    }

    private static void assertRejected(TestTomcat site, SSLHostConfig host, String why) {
        TandemProtocol protocol = protocol(site);
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> protocol.addSslHostConfig(host, true));
        assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
    }

    /// The JDK's engine and BoringSSL would take the public authorities in their place.
    @Test
    void trustStoreWithoutAuthoritiesIsNoTrustStore() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setCertificateVerification("required");
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        host.setTrustStore(empty);
        try (TestTomcat site = site(host).start()) {
            assertNotEquals(LifecycleState.STARTED, site.connector.getState());
        }
    }

    @Test
    void requiredClientCertificateIsEnforced() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setCertificateVerification("required");
        host.setTruststoreFile(TestKeyStore.FIRST.path().toString());
        host.setTruststorePassword(TestKeyStore.PASSWORD);
        try (TestTomcat site = site(host).start()) {
            assertEquals(
                    "CN=first", get(site, TestKeyStore.FIRST.authenticatedClient(), "/client"));
            SSLContext newClient = TestKeyStore.FIRST.anonymousClient();
            assertThrows(SSLException.class, () -> get(site, newClient, "/client"));
        }
    }

    @Test
    void certificateIsReplacedAtRunTime() throws Exception {
        try (TestTomcat site = site(host(TestKeyStore.FIRST)).start()) {
            assertEquals("hello", get(site, TestKeyStore.FIRST.anonymousClient(), "/hello"));
            // As Spring Boot does when a bundle is reloaded.
            ((TandemProtocol) site.connector.getProtocolHandler())
                    .addSslHostConfig(host(TestKeyStore.SECOND), true);
            assertEquals("hello", get(site, TestKeyStore.SECOND.anonymousClient(), "/hello"));
            SSLContext old = TestKeyStore.FIRST.anonymousClient();
            assertThrows(SSLException.class, () -> get(site, old, "/hello"));
        }
    }

    /// Otherwise it would be read at each later reload, which would fail, too.
    @Test
    void hostThatCannotBeLoadedIsNotKept() throws Exception {
        try (TestTomcat site = site(host(TestKeyStore.FIRST)).start()) {
            SSLHostConfig bad = host(TestKeyStore.FIRST);
            bad.getCertificates().iterator().next().setCertificateKeyAlias("missing");
            assertRejected(site, bad, "has no private key with the alias missing");
            protocol(site).reloadSslHostConfigs();
            SSLHostConfig other = host(TestKeyStore.SECOND);
            other.setHostName("other.example");
            protocol(site).addSslHostConfig(other, true);
            assertEquals(2, protocol(site).findSslHostConfigs().length);
            assertEquals("hello", get(site, TestKeyStore.FIRST.anonymousClient(), "/hello"));
        }
    }

    /// As with `tandem run --tls`.
    @Test
    void connectionOfAnotherListenerIsSecure(@TempDir Path folder) throws Exception {
        Path certificate = folder.resolve("c.pem");
        Path key = folder.resolve("k.pem");
        KeyStore store = TestKeyStore.FIRST.open();
        String alias = store.aliases().nextElement();
        pem(certificate, "CERTIFICATE", store.getCertificate(alias).getEncoded());
        pem(
                key,
                "PRIVATE KEY",
                store.getKey(alias, TestKeyStore.PASSWORD.toCharArray()).getEncoded());
        try (var site = new TestTomcat()) {
            protocol(site)
                    .customizeServer(
                            tandem ->
                                    tandem.andListen("127.0.0.1", 0)
                                            .tls(
                                                    TlsSettings.of(
                                                            CertificateFiles.pem(
                                                                    certificate, key))));
            site.with(
                            "/secure",
                            servlet(
                                    (q, s) ->
                                            s.getWriter()
                                                    .print(
                                                            q.isSecure()
                                                                    + " "
                                                                    + q.getServletConnection()
                                                                            .isSecure())))
                    .start();
            String request = "GET /secure HTTP/1.1\nHost: h\n\n";
            try (RawClient client = site.client()) {
                assertEquals("false false", client.send(request).response().text());
            }
            var server = Objects.requireNonNull(protocol(site).server());
            SSLContext trusting = TestKeyStore.FIRST.anonymousClient();
            try (var client = RawClient.connect(server.addresses().getLast(), 0, trusting)) {
                for (int i = 0; i < 2; i++) {
                    assertEquals("true true", client.send(request).response().text());
                }
            }
        }
    }

    @Test
    void keyStoreInMemoryIsUsed() throws Exception {
        var host = new SSLHostConfig();
        var certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
        certificate.setCertificateKeystore(TestKeyStore.FIRST.open());
        certificate.setCertificateKeyPassword(TestKeyStore.PASSWORD);
        host.addCertificate(certificate);
        try (TestTomcat site = site(host).start()) {
            assertEquals("hello", get(site, TestKeyStore.FIRST.anonymousClient(), "/hello"));
        }
    }

    /// Handshakes have lanes of their own, as in the native server: existing connections are
    /// served.
    @Test
    void existingConnectionIsServedDuringManyHandshakes() throws Exception {
        int newClientCount = 60;
        try (TestTomcat site = site(host(TestKeyStore.FIRST)).start();
                var existing = keepAliveClient(site);
                ExecutorService newClients = Executors.newFixedThreadPool(6)) {
            List<Future<String>> responses = new ArrayList<>();
            for (int i = 0; i < newClientCount; i++) {
                SSLContext newClient = TestKeyStore.FIRST.anonymousClient(); // resumes no session
                responses.add(newClients.submit(() -> get(site, newClient, "/hello")));
            }
            for (int i = 0; i < 40; i++) {
                assertEquals(
                        "hello",
                        existing.send("GET /hello HTTP/1.1\nHost: h\n\n").response().text());
            }
            for (Future<String> each : responses) {
                assertEquals("hello", each.get(20, TimeUnit.SECONDS));
            }
            assertEquals(newClientCount + 1, metric(site, "tandem_tls_handshakes_total", "full"));
            assertTrue(metric(site, "tandem_tls_handshake_mean_cpu_seconds", "full") > 0);
        }
    }

    private static RawClient keepAliveClient(TestTomcat site) throws IOException {
        var address = new InetSocketAddress("127.0.0.1", site.port());
        return RawClient.connect(address, 0, TestKeyStore.FIRST.anonymousClient());
    }

    private static double metric(TestTomcat site, String name, String kind) {
        var protocol = (TandemProtocol) site.connector.getProtocolHandler();
        return Objects.requireNonNull(protocol.server()).metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .filter(sample -> kind.equals(sample.labels().get("kind")))
                .mapToDouble(sample -> sample.value())
                .sum();
    }

    // ---- Unsupported configurations.

    private static String startFailure(TestTomcat site) {
        site.connector.setThrowOnFailure(true);
        Throwable root = assertThrows(LifecycleException.class, site::start);
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private static SSLHostConfig hostWithVerification(String name) {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setHostName(name);
        host.setCertificateVerification("required");
        host.setTruststoreFile(TestKeyStore.FIRST.path().toString());
        host.setTruststorePassword(TestKeyStore.PASSWORD);
        return host;
    }

    /// Otherwise clients of this host would be accepted without a certificate.
    @Test
    void hostWithStricterVerificationIsRejected() throws Exception {
        try (TestTomcat site = site(host(TestKeyStore.FIRST))) {
            site.connector.addSslHostConfig(hostWithVerification("inner.example"));
            String message = startFailure(site);
            assertTrue(message.contains("inner.example"), message);
        }
    }

    /// Otherwise clients of the new host would not be asked for certificates.
    @Test
    void hostWithVerificationIsNotAddedAtRunTime() throws Exception {
        try (TestTomcat site = site(host(TestKeyStore.FIRST)).start()) {
            var protocol = (TandemProtocol) site.connector.getProtocolHandler();
            for (String name : List.of("_default_", "inner.example")) {
                SSLHostConfig host = hostWithVerification(name);
                var e =
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> protocol.addSslHostConfig(host, true));
                assertTrue(String.valueOf(e.getMessage()).contains(name), e.getMessage());
            }
            assertEquals(1, protocol.findSslHostConfigs().length);
            assertEquals("hello", get(site, TestKeyStore.FIRST.anonymousClient(), "/hello"));
        }
    }

    /// A program may change a host that it has set before.
    @Test
    void hostChangedToVerificationIsNotReloaded() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        try (TestTomcat site = site(host).start()) {
            var protocol = (TandemProtocol) site.connector.getProtocolHandler();
            host.setCertificateVerification("required");
            assertThrows(IllegalArgumentException.class, () -> protocol.reloadSslHostConfigs());
        }
    }

    /// Otherwise clients that the host excludes would be accepted.
    @Test
    void hostWithFewerVersionsIsRejected() throws Exception {
        SSLHostConfig strict = host(TestKeyStore.FIRST);
        strict.setHostName("strict.example");
        strict.setProtocols("TLSv1.3");
        try (TestTomcat site = site(host(TestKeyStore.FIRST))) {
            site.connector.addSslHostConfig(strict);
            String message = startFailure(site);
            assertTrue(message.contains("strict.example has other protocols"), message);
        }
    }

    @Test
    void hostsWithSameVerificationAreServed() throws Exception {
        try (TestTomcat site = site(hostWithVerification("_default_"))) {
            site.connector.addSslHostConfig(hostWithVerification("inner.example"));
            assertEquals(
                    "CN=first",
                    get(site.start(), TestKeyStore.FIRST.authenticatedClient(), "/client"));
        }
    }

    @Test
    void unsupportedCertificateChecksAreRejected() throws Exception {
        SSLHostConfig own = hostWithVerification("_default_");
        own.setTrustManagerClassName("a.StrictManager");
        SSLHostConfig deep = hostWithVerification("_default_");
        deep.setCertificateVerificationDepth(1);
        SSLHostConfig folder = hostWithVerification("_default_");
        folder.setCaCertificatePath("/none");
        for (SSLHostConfig each : List.of(own, deep, folder)) {
            try (TestTomcat site = site(each)) {
                String message = startFailure(site);
                assertTrue(message.contains("does not support trustManagerClassName"), message);
            }
        }
    }

    @Test
    void ignoredAttributesAreLogged() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.setCiphers("ECDHE-ECDSA-AES256-GCM-SHA384");
        host.setDisableSessionTickets(true);
        try (var log = LogCapture.of(UnsupportedTlsOptions.class.getName());
                TestTomcat site = site(host).start()) {
            assertEquals("hello", get(site, TestKeyStore.FIRST.anonymousClient(), "/hello"));
            String named = " ignores ciphers, disableSessionTickets";
            assertEquals(1, log.messages(m -> m.endsWith(named)).size(), log.lines()::toString);
        }
    }

    @Test
    void unreadableKeyIsNamed() throws Exception {
        SSLHostConfig host = host(TestKeyStore.FIRST);
        host.getCertificates().iterator().next().setCertificateKeyAlias("missing");
        try (TestTomcat site = site(host)) {
            String message = startFailure(site);
            assertTrue(message.contains("has no private key with the alias missing"), message);
        }
    }
}
