package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Both engines behave the same.
@ParameterizedClass
@EnumSource(names = {"BORINGSSL", "JDK"})
class TlsSessionTest {
    private static final String TLS_1_2 = "TLSv1.2";
    private static final String TLS_1_3 = "TLSv1.3";

    private final EngineChoice choice;

    TlsSessionTest(EngineChoice choice) {
        this.choice = choice;
    }

    private TlsSettings settings(String... names) {
        var files = List.of(names).stream().map(Credentials::pem).toArray(CertificateFiles[]::new);
        return TlsSettings.of(files).withEngine(choice);
    }

    private TlsContext context(String... names) throws TlsConfigException {
        return TlsContext.open(settings(names));
    }

    private static TlsDialogue talk(TlsContext context, SSLEngine client) throws SSLException {
        client.beginHandshake();
        return new TlsDialogue(client, context.newSession()).settle();
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, ec", "TLSv1.2, rsa", "TLSv1.3, ec", "TLSv1.3, rsa", "TLSv1.3, other"})
    void talks(String version, String certificate) throws Exception {
        TlsContext context = context(certificate);
        try (TlsDialogue talk = talk(context, TlsClient.plain().engine(version))) {
            assertEquals(TlsAction.RECEIVE, talk.next, talk.server.failureMessage());
            assertEquals(version, talk.server.version());
            assertEquals("localhost", talk.server.serverName());
            assertEquals("http/1.1", talk.server.applicationProtocol());
            assertTrue(EngineSettings.CIPHERS.contains(talk.server.cipher()), talk.server.cipher());
            assertFalse(talk.server.isResumed());
            talk.clientSays("GET / HTTP/1.1\r\n\r\n");
            talk.settle();
            assertEquals("GET / HTTP/1.1\r\n\r\n", talk.heardByServer.toString());
            talk.serverSays("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            talk.settle();
            assertEquals("HTTP/1.1 200 OK\r\n\r\n", talk.heardByClient.toString());
            assertEquals(1, context.counters().fullHandshakes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void keyWorkIsAskedForAndTheLastStepOfTls13IsCheap(String version) throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(version))) {
            assertEquals(version.equals(TLS_1_3) ? 1 : 2, talk.costly);
            assertEquals(version.equals(TLS_1_3) ? 1 : 0, talk.cheap);
        }
    }

    @Test
    void nothingIsDoneForAHelloButReadingIt() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_3);
        var wire = ByteBuffer.allocateDirect(32_768);
        client.wrap(ByteBuffer.allocate(0), wire);
        wire.flip();
        try (TlsSession server = context("ec").newSession()) {
            assertEquals(TlsAction.HANDSHAKE, server.receive(wire, ByteBuffer.allocate(0)));
            assertFalse(wire.hasRemaining());
            assertEquals("localhost", Objects.requireNonNull(server.hello()).serverName());
            assertThrows(IllegalStateException.class, server::version, "there is an engine");
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, 1", "TLSv1.3, 1", "TLSv1.3, 7", "TLSv1.2, 1000"})
    void comesInPieces(String version, int piece) throws Exception {
        SSLEngine client = TlsClient.plain().engine(version);
        client.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(client, context("ec").newSession())) {
            talk.piece = piece;
            talk.settle();
            talk.clientSays("hello, ");
            talk.clientSays("world");
            talk.settle();
            assertEquals("hello, world", talk.heardByServer.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, 5000", "TLSv1.3, 70000"})
    void muchGoesBothWays(String version, int piece) throws Exception {
        var much = new byte[1_000_000];
        new Random(1).nextBytes(much);
        try (TlsDialogue talk = talk(context("rsa"), TlsClient.plain().engine(version))) {
            talk.piece = piece;
            talk.clientSays(much);
            talk.serverSays(much);
            talk.settle();
            assertArrayEquals(much, talk.heardByServer.toByteArray());
            assertArrayEquals(much, talk.heardByClient.toByteArray());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void whoSaysTheEndRightBehindARequestIsAnswered(String version) throws Exception {
        TlsContext context = context("ec");
        try (TlsDialogue talk = talk(context, TlsClient.plain().engine(version))) {
            talk.clientSays("question");
            talk.client.closeOutbound();
            talk.settle();
            assertEquals("question", talk.heardByServer.toString());
            talk.serverSays("answer".getBytes(StandardCharsets.US_ASCII));
            talk.settle();
            assertEquals("answer", talk.heardByClient.toString());
            assertTrue(talk.server.isInputHeld());
            assertEquals(
                    TlsAction.CLOSED,
                    talk.server.receive(ByteBuffer.allocate(0), ByteBuffer.allocate(100)));
        }
    }

    @Test
    void dataBehindTheEndOfTheHandshakeIsHeard() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_3);
        client.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(client, context("ec").newSession())) {
            // Kept back until the client has all it needs, then given at once.
            talk.settle();
            talk.clientSays("at once");
            talk.settle();
            assertEquals("at once", talk.heardByServer.toString());
            assertNull(talk.server.hello(), "what is of no more use is let go");
        }
    }

    @Test
    void roomIsAskedForAndNothingIsLost() throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            talk.clientSays("abc");
            var small = ByteBuffer.allocateDirect(2);
            assertEquals(TlsAction.BUFFER_FULL, talk.server.receive(talk.onTheWay(), small));
            assertEquals(0, small.position());
            var enough = ByteBuffer.allocateDirect(100);
            assertEquals(TlsAction.RECEIVE, talk.server.receive(talk.onTheWay(), enough));
            assertEquals(3, enough.position());
            var out = ByteBuffer.allocateDirect(10);
            var plain = ByteBuffer.allocateDirect(100);
            assertFalse(talk.server.send(plain, out));
            assertEquals(100, plain.remaining());
        }
    }

    @Test
    void anIdleSessionHoldsNoInput() throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            talk.clientSays("abc");
            talk.piece = 3;
            talk.settle();
            assertEquals(0, talk.server.heldCapacity());
        }
    }

    @Test
    void bothSidesEndPolitely() throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            talk.endOfServer();
            talk.settle();
            assertTrue(talk.client.isInboundDone());
            talk.client.closeOutbound();
            talk.settle();
            assertEquals(TlsAction.CLOSED, talk.next);
            assertTrue(talk.server.inputEnded());
            assertNull(talk.server.failure());
        }
    }

    @Test
    void truncationIsTold() throws Exception {
        TlsContext context = context("ec");
        try (TlsDialogue talk = talk(context, TlsClient.plain().engine(TLS_1_3))) {
            assertFalse(talk.server.inputEnded());
            assertEquals(FailureReason.TRUNCATED, talk.server.failure());
        }
        try (TlsSession early = context.newSession()) {
            assertFalse(early.inputEnded());
            assertEquals(FailureReason.ABANDONED, early.failure());
        }
        assertEquals(1, context.counters().failures(FailureReason.TRUNCATED));
        assertEquals(1, context.counters().failures(FailureReason.ABANDONED));
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void aSpoiltRecordEndsItWithAnAlert(String version) throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(version))) {
            talk.clientSays("abc");
            ByteBuffer wire = talk.onTheWay();
            int last = wire.limit() - 1;
            wire.put(last, (byte) (wire.get(last) ^ 1));
            var refused = assertThrows(SSLException.class, talk::settle);
            assertTrue(String.valueOf(refused).contains("bad_record_mac"), refused::toString);
            assertEquals(FailureReason.PROTOCOL, talk.server.failure());
            assertEquals("", talk.heardByServer.toString());
            assertEquals(TlsAction.FAILED, talk.server.receive(wire, ByteBuffer.allocate(0)));
        }
    }

    @Test
    void plainHttpIsKnown() throws Exception {
        TlsContext context = context("ec");
        try (TlsSession server = context.newSession()) {
            var wire = ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals(TlsAction.FAILED, server.receive(wire, ByteBuffer.allocate(0)));
            assertEquals(FailureReason.PLAIN_HTTP, server.failure());
        }
        assertEquals(1, context.counters().failures(FailureReason.PLAIN_HTTP));
    }

    @Test
    void renegotiationIsRefused() throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(TLS_1_2))) {
            talk.client.beginHandshake();
            talk.settle();
            assertEquals(FailureReason.RENEGOTIATION, talk.server.failure());
        }
    }

    @Test
    void keysMayBeUpdated() throws Exception {
        try (TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            for (int i = 0; i < 3; i++) {
                talk.client.beginHandshake();
                talk.settle();
                talk.clientSays("x");
                talk.settle();
                talk.serverSays("y".getBytes(StandardCharsets.US_ASCII));
                talk.settle();
            }
            assertEquals("xxx", talk.heardByServer.toString());
            assertEquals("yyy", talk.heardByClient.toString());
        }
    }

    @Test
    void applicationProtocolsAreAgreedOn() throws Exception {
        var protocols = settings("ec").withApplicationProtocols(List.of("h2", "http/1.1"));
        TlsContext context = TlsContext.open(protocols);
        TlsClient client = TlsClient.plain();
        SSLEngine both = client.engine(TLS_1_3, "localhost", List.of("http/1.1", "h2"));
        try (TlsDialogue talk = talk(context, both)) {
            assertEquals("h2", talk.server.applicationProtocol());
        }
        try (TlsDialogue talk = talk(context, client.engine(TLS_1_3, "localhost", List.of()))) {
            assertEquals("", talk.server.applicationProtocol());
        }
        SSLEngine other = client.engine(TLS_1_3, "localhost", List.of("ftp"));
        other.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(other, context.newSession())) {
            var refused = assertThrows(SSLException.class, talk::settle);
            assertTrue(
                    String.valueOf(refused).contains("no_application_protocol"), refused::toString);
            assertEquals(FailureReason.NO_SHARED_PROTOCOL, talk.server.failure());
        }
    }

    @Test
    void versionsThatAreOffAreRefused() throws Exception {
        TlsContext context =
                TlsContext.open(settings("ec").withVersions(Set.of(TlsVersion.TLS_1_3)));
        SSLEngine client = TlsClient.plain().engine(TLS_1_2);
        client.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(client, context.newSession())) {
            var refused = assertThrows(SSLException.class, talk::settle);
            assertTrue(String.valueOf(refused).contains("protocol_version"), refused::toString);
            assertEquals(FailureReason.NO_SHARED_VERSION, talk.server.failure());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, EC, localhost",
        "a.example.test, RSA, *.example.test",
        "A.EXAMPLE.test, RSA, *.example.test",
        "a.b.example.test, EC, localhost",
        "other.test, EC, Other.test",
        "unknown.test, EC, localhost"
    })
    void theNameChoosesTheCertificate(String name, String algorithm, String expected)
            throws Exception {
        TlsContext context = context("rsa", "ec", "wild", "other");
        SSLEngine client = TlsClient.plain().engine(TLS_1_3, name, List.of());
        try (TlsDialogue _ = talk(context, client)) {
            var certificate = (X509Certificate) client.getSession().getPeerCertificates()[0];
            assertEquals(algorithm, certificate.getPublicKey().getAlgorithm());
            assertEquals(
                    expected, certificate.getSubjectAlternativeNames().iterator().next().get(1));
        }
    }

    @Test
    void aClientWithoutEcdsaGetsTheRsaCertificate() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_2);
        client.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
        try (TlsDialogue talk = talk(context("ec", "rsa"), client)) {
            assertEquals("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", talk.server.cipher());
        }
    }

    @Test
    void withoutASharedCipherItIsRefused() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_2);
        client.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"});
        client.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(client, context("rsa").newSession())) {
            assertThrows(SSLException.class, talk::settle);
            assertEquals(
                    FailureReason.NO_SHARED_CIPHER,
                    talk.server.failure(),
                    talk.server.failureMessage());
        }
    }

    @Test
    void unknownNamesMayBeRefused() throws Exception {
        TlsContext context = TlsContext.open(settings("ec").withUnknownNamesRejected(true));
        SSLEngine client = TlsClient.plain().engine(TLS_1_3, "unknown.test", List.of());
        client.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(client, context.newSession())) {
            var refused = assertThrows(SSLException.class, talk::settle);
            assertTrue(String.valueOf(refused).contains("unrecognized_name"), refused::toString);
            assertEquals(FailureReason.UNKNOWN_NAME, talk.server.failure());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void clientsShowCertificates(String version) throws Exception {
        var asked =
                settings("ec")
                        .withClientCertificates(
                                ClientCertificateMode.REQUIRED, Credentials.file("ca.pem"));
        TlsContext context = TlsContext.open(asked);
        try (TlsDialogue talk = talk(context, TlsClient.of("client.p12").engine(version))) {
            assertEquals(
                    "CN=client",
                    talk.server
                            .clientCertificates()
                            .getFirst()
                            .getSubjectX500Principal()
                            .getName());
            assertEquals(0, talk.cheap, "a certificate is verified by a worker");
        }
        SSLEngine bare = TlsClient.plain().engine(version);
        bare.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(bare, context.newSession())) {
            assertThrows(SSLException.class, talk::settle);
            assertEquals(
                    FailureReason.CLIENT_CERTIFICATE,
                    talk.server.failure(),
                    talk.server.failureMessage());
        }
    }

    @Test
    void clientsMayShowCertificates() throws Exception {
        var asked =
                settings("ec")
                        .withClientCertificates(
                                ClientCertificateMode.OPTIONAL, Credentials.file("ca.pem"));
        TlsContext context = TlsContext.open(asked);
        try (TlsDialogue talk = talk(context, TlsClient.plain().engine(TLS_1_3))) {
            assertEquals(TlsAction.RECEIVE, talk.next, talk.server.failureMessage());
            assertEquals(List.of(), talk.server.clientCertificates());
        }
        try (TlsDialogue talk = talk(context, TlsClient.of("client.p12").engine(TLS_1_3))) {
            assertEquals(1, talk.server.clientCertificates().size());
        }
    }

    @Test
    void aFaultOfOursEndsItAndIsCounted() throws Exception {
        TlsContext context = context("ec");
        SSLEngine client = TlsClient.plain().engine(TLS_1_3);
        var wire = ByteBuffer.allocateDirect(32_768);
        client.wrap(ByteBuffer.allocate(0), wire);
        try (TlsSession server = context.newSession()) {
            server.receive(wire.flip(), ByteBuffer.allocate(0));
            var out = ByteBuffer.allocate(32_768).asReadOnlyBuffer();
            assertEquals(TlsAction.FAILED, server.handshake(ByteBuffer.allocate(32_768), out));
            assertEquals(FailureReason.INTERNAL, server.failure(), server.failureMessage());
        }
        assertEquals(1, context.counters().failures(FailureReason.INTERNAL));
    }

    @Test
    void closingTwiceIsHarmless() throws Exception {
        TlsDialogue talk = talk(context("ec"), TlsClient.plain().engine(TLS_1_3));
        talk.close();
        talk.close();
        assertThrows(IllegalStateException.class, talk.server::version);
    }
}
