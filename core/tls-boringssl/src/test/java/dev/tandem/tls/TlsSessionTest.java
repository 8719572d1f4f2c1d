package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the common behaviour of both engines.
@ParameterizedClass
@EnumSource(names = {"BORINGSSL", "JDK"})
class TlsSessionTest {
    private static final String TLS_1_2 = "TLSv1.2";
    private static final String TLS_1_3 = "TLSv1.3";

    /// The type of a record (RFC 5246, section 6.2.1).
    private static final int ALERT = 21;

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
    @CsvSource({
        "TLSv1.2, ec",
        "TLSv1.2, rsa",
        "TLSv1.2, large",
        "TLSv1.3, ec",
        "TLSv1.3, rsa",
        "TLSv1.3, other",
        "TLSv1.3, large"
    })
    void dataIsExchanged(String version, String certificate) throws Exception {
        TlsContext context = context(certificate);
        try (TlsDialogue dialogue = talk(context, TlsClient.plain().engine(version))) {
            assertEquals(TlsAction.RECEIVE, dialogue.next, dialogue.server.failureMessage());
            assertEquals(version, dialogue.server.version());
            assertEquals("localhost", dialogue.server.serverName());
            assertEquals("http/1.1", dialogue.server.applicationProtocol());
            assertTrue(
                    EngineSettings.CIPHERS.contains(dialogue.server.cipher()),
                    dialogue.server.cipher());
            assertFalse(dialogue.server.isResumed());
            dialogue.clientSays("GET / HTTP/1.1\r\n\r\n");
            dialogue.settle();
            assertEquals("GET / HTTP/1.1\r\n\r\n", dialogue.heardByServer.toString());
            dialogue.serverSays("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            dialogue.settle();
            assertEquals("HTTP/1.1 200 OK\r\n\r\n", dialogue.heardByClient.toString());
            assertEquals(1, context.counters().fullHandshakes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void keyOperationsAreInHandshakeAndLastTls13StepIsCheap(String version) throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(version))) {
            assertEquals(version.equals(TLS_1_3) ? 1 : 2, dialogue.costly);
            assertEquals(version.equals(TLS_1_3) ? 1 : 0, dialogue.cheap);
        }
    }

    @Test
    void clientHelloIsOnlyRead() throws Exception {
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
    void inputMayBeSplit(String version, int piece) throws Exception {
        SSLEngine client = TlsClient.plain().engine(version);
        client.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(client, context("ec").newSession())) {
            dialogue.piece = piece;
            dialogue.settle();
            dialogue.clientSays("hello, ");
            dialogue.clientSays("world");
            dialogue.settle();
            assertEquals("hello, world", dialogue.heardByServer.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, 5000", "TLSv1.3, 70000"})
    void largeDataIsExchangedBothWays(String version, int piece) throws Exception {
        var much = new byte[1_000_000];
        new Random(1).nextBytes(much);
        try (TlsDialogue dialogue = talk(context("rsa"), TlsClient.plain().engine(version))) {
            dialogue.piece = piece;
            dialogue.clientSays(much);
            dialogue.serverSays(much);
            dialogue.settle();
            assertArrayEquals(much, dialogue.heardByServer.toByteArray());
            assertArrayEquals(much, dialogue.heardByClient.toByteArray());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void requestFollowedByCloseNotifyGetsResponse(String version) throws Exception {
        TlsContext context = context("ec");
        try (TlsDialogue dialogue = talk(context, TlsClient.plain().engine(version))) {
            dialogue.clientSays("question");
            dialogue.client.closeOutbound();
            dialogue.settle();
            assertEquals("question", dialogue.heardByServer.toString());
            dialogue.serverSays("response".getBytes(StandardCharsets.US_ASCII));
            dialogue.settle();
            assertEquals("response", dialogue.heardByClient.toString());
            assertTrue(dialogue.server.isInputHeld());
            assertEquals(
                    TlsAction.CLOSED,
                    dialogue.server.receive(ByteBuffer.allocate(0), ByteBuffer.allocate(100)));
        }
    }

    @Test
    void dataAfterHandshakeEndIsReceived() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_3);
        client.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(client, context("ec").newSession())) {
            // Withheld until the client has all it needs, then passed at once.
            dialogue.settle();
            dialogue.clientSays("at once");
            dialogue.settle();
            assertEquals("at once", dialogue.heardByServer.toString());
            assertNull(dialogue.server.hello(), "what is of no more use is let go");
        }
    }

    @Test
    void fullBufferIsReportedAndNothingIsLost() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            dialogue.clientSays("abc");
            var small = ByteBuffer.allocateDirect(2);
            assertEquals(
                    TlsAction.BUFFER_FULL, dialogue.server.receive(dialogue.onTheWay(), small));
            assertEquals(0, small.position());
            var enough = ByteBuffer.allocateDirect(100);
            assertEquals(TlsAction.RECEIVE, dialogue.server.receive(dialogue.onTheWay(), enough));
            assertEquals(3, enough.position());
            var out = ByteBuffer.allocateDirect(10);
            var plain = ByteBuffer.allocateDirect(100);
            assertFalse(dialogue.server.send(plain, out));
            assertEquals(100, plain.remaining());
        }
    }

    @Test
    void idleSessionHoldsNoBuffer() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            dialogue.clientSays("abc");
            dialogue.piece = 3;
            dialogue.settle();
            assertEquals(0, dialogue.server.inputMemory());
        }
    }

    @Test
    void bothSidesSendCloseNotify() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            dialogue.endOfServer();
            dialogue.settle();
            assertTrue(dialogue.client.isInboundDone());
            dialogue.client.closeOutbound();
            dialogue.settle();
            assertEquals(TlsAction.CLOSED, dialogue.next);
            assertTrue(dialogue.server.inputEnded());
            assertNull(dialogue.server.failure());
        }
    }

    @Test
    void truncationIsReported() throws Exception {
        TlsContext context = context("ec");
        try (TlsDialogue dialogue = talk(context, TlsClient.plain().engine(TLS_1_3))) {
            assertFalse(dialogue.server.inputEnded());
            assertEquals(FailureReason.TRUNCATED, dialogue.server.failure());
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
    void corruptRecordCausesAlert(String version) throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(version))) {
            dialogue.clientSays("abc");
            ByteBuffer wire = dialogue.onTheWay();
            int last = wire.limit() - 1;
            wire.put(last, (byte) (wire.get(last) ^ 1));
            var rejected = assertThrows(SSLException.class, dialogue::settle);
            assertTrue(String.valueOf(rejected).contains("bad_record_mac"), rejected::toString);
            assertEquals(FailureReason.PROTOCOL, dialogue.server.failure());
            assertEquals("", dialogue.heardByServer.toString());
            assertEquals(TlsAction.FAILED, dialogue.server.receive(wire, ByteBuffer.allocate(0)));
        }
    }

    /// A loop may respond to the request before it, and must not call the engine for ever.
    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void responseAfterCorruptRecordFails(String version) throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(version))) {
            dialogue.clientSays("request");
            dialogue.clientSays("b".repeat(100)); // longer than an alert, so that it is not held
            ByteBuffer wire = dialogue.onTheWay();
            int last = wire.limit() - 1;
            wire.put(last, (byte) (wire.get(last) ^ 1));
            var plain = ByteBuffer.allocateDirect(32_768);
            assertEquals(TlsAction.FAILED, dialogue.server.receive(wire, plain));
            assertEquals(7, plain.position());
            var response = ByteBuffer.allocateDirect(1_000);
            var out = ByteBuffer.allocateDirect(32_768);
            assertTimeoutPreemptively(
                    Duration.ofSeconds(30),
                    () ->
                            assertThrows(
                                    SSLException.class, () -> dialogue.server.send(response, out)));
        }
    }

    @Test
    void plainHttpIsDetected() throws Exception {
        TlsContext context = context("ec");
        try (TlsSession server = context.newSession()) {
            var wire = ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals(TlsAction.FAILED, server.receive(wire, ByteBuffer.allocate(0)));
            assertEquals(FailureReason.PLAIN_HTTP, server.failure());
        }
        assertEquals(1, context.counters().failures(FailureReason.PLAIN_HTTP));
    }

    /// A client of TLS 1.2 that sends nothing else until there is a response: a server that waits
    /// for its next record waits for ever.
    @ParameterizedTest
    @ValueSource(strings = {"1403030002 0101", "1403030001 02"})
    void malformedChangeOfCipherIsRejectedAtOnce(String record) throws Exception {
        try (TlsSession server = context("rsa").newSession()) {
            // secp256r1; RSA with SHA-256
            var hello = bareHello("0010 000a000400020017 000d000400020401");
            assertEquals(TlsAction.HANDSHAKE, server.receive(hello, ByteBuffer.allocate(0)));
            var plain = ByteBuffer.allocateDirect(32_768);
            assertEquals(
                    TlsAction.RECEIVE,
                    server.handshake(plain, ByteBuffer.allocateDirect(32_768)),
                    server.failureMessage());
            assertEquals(
                    TlsAction.HANDSHAKE,
                    server.receive(ByteBuffer.wrap(bytes(record)), ByteBuffer.allocate(0)));
            var out = ByteBuffer.allocateDirect(32_768);
            assertEquals(TlsAction.FAILED, server.handshake(plain, out));
            assertEquals(ALERT, typeOfLastRecord(out.flip()));
        }
    }

    /// The JDK's engine has made a ServerHello before it finds that it has no signature that the
    /// client accepts: the alert follows, in a record of its own.
    @Test
    void alertFollowsOutputThatWasMadeBefore() throws Exception {
        try (TlsSession server = context("rsa").newSession()) {
            assertEquals(
                    TlsAction.HANDSHAKE, server.receive(bareHello(""), ByteBuffer.allocate(0)));
            var out = ByteBuffer.allocateDirect(32_768);
            TlsAction next = server.handshake(ByteBuffer.allocateDirect(32_768), out);
            assertEquals(TlsAction.FAILED, next);
            assertEquals(ALERT, typeOfLastRecord(out.flip()), server.failureMessage());
        }
    }

    /// RFC 8446, section 5.1: a message may be in as many records as the client likes.
    @Test
    void helloMayBeInRecordsOfOneByte() throws Exception {
        String padding = "00150450" + "00".repeat(0x450);
        ByteBuffer hello = bareHello("0464 000a000400020017 000d000400020401" + padding);
        hello.position(5);
        var wire = ByteBuffer.allocate(6 * hello.remaining());
        while (hello.hasRemaining()) {
            wire.put(bytes("1603010001")).put(hello.get());
        }
        try (TlsSession server = context("rsa").newSession()) {
            assertEquals(TlsAction.HANDSHAKE, server.receive(wire.flip(), ByteBuffer.allocate(0)));
            var plain = ByteBuffer.allocateDirect(32_768);
            assertEquals(
                    TlsAction.RECEIVE,
                    server.handshake(plain, ByteBuffer.allocateDirect(32_768)),
                    server.failureMessage());
        }
    }

    /// Returns a ClientHello of TLS 1.2 with one cipher suite, ECDHE with RSA.
    private static ByteBuffer bareHello(String extensions) {
        byte[] end = bytes("00 0002c02f 0100" + extensions);
        int length = 2 + 32 + end.length;
        return ByteBuffer.allocate(9 + length)
                .put(bytes("160301"))
                .putShort((short) (4 + length))
                .put(bytes("0100"))
                .putShort((short) length)
                .put(bytes("0303"))
                .put(new byte[32])
                .put(end)
                .flip();
    }

    private static byte[] bytes(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static int typeOfLastRecord(ByteBuffer sent) {
        int type = 0;
        while (BufferedInput.isRecordComplete(sent)) {
            type = sent.get(sent.position());
            sent.position(sent.position() + BufferedInput.recordLength(sent));
        }
        return type;
    }

    @Test
    void renegotiationIsRejected() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_2))) {
            dialogue.client.beginHandshake();
            dialogue.settle();
            assertEquals(FailureReason.RENEGOTIATION, dialogue.server.failure());
        }
    }

    /// Nothing else may follow: a server that waits for it keeps the connection open.
    @Test
    void failureBehindDataIsHeldInput() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_2))) {
            dialogue.clientSays("GET ");
            assertFalse(dialogue.server.isInputHeld());
            dialogue.client.beginHandshake();
            dialogue.settle();
            assertEquals("GET ", dialogue.heardByServer.toString());
            assertEquals(FailureReason.RENEGOTIATION, dialogue.server.failure());
            assertTrue(dialogue.server.isInputHeld());
            assertEquals(
                    TlsAction.FAILED,
                    dialogue.server.receive(ByteBuffer.allocate(0), ByteBuffer.allocate(100)));
        }
    }

    @Test
    void keysMayBeUpdated() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            for (int i = 0; i < 3; i++) {
                dialogue.client.beginHandshake();
                dialogue.settle();
                dialogue.clientSays("x");
                dialogue.settle();
                dialogue.serverSays("y".getBytes(StandardCharsets.US_ASCII));
                dialogue.settle();
            }
            assertEquals("xxx", dialogue.heardByServer.toString());
            assertEquals("yyy", dialogue.heardByClient.toString());
        }
    }

    /// Each costs some time, and makes a response that waits until the client reads it. BoringSSL
    /// has a limit of its own.
    @Test
    void keysMayNotBeUpdatedAgainAndAgainWithoutData() throws Exception {
        TlsContext context = TlsContext.open(settings("ec").withEngine(EngineChoice.JDK));
        try (TlsDialogue dialogue = talk(context, TlsClient.plain().engine(TLS_1_3))) {
            for (int i = 0; i < 32; i++) {
                dialogue.client.beginHandshake();
                dialogue.settle();
            }
            dialogue.clientSays("x");
            dialogue.settle();
            for (int i = 0; i < 32; i++) {
                dialogue.client.beginHandshake();
                dialogue.settle();
            }
            dialogue.client.beginHandshake();
            dialogue.settle();
            String message = dialogue.server.failureMessage();
            assertTrue(message.contains("updates keys again and again"), message);
        }
    }

    /// As the JDK's does after 2^37 bytes of data (`jdk.tls.keyLimits`): here after each record.
    @Test
    void engineMayUpdateItsKeysBehindData() throws Exception {
        try (TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_3))) {
            Field field = TlsSession.class.getDeclaredField("engine");
            field.setAccessible(true);
            field.set(dialogue.server, updating((TlsEngine) field.get(dialogue.server)));
            String part = "x".repeat(1_000);
            for (int i = 0; i < 40; i++) {
                dialogue.clientSays(part);
                dialogue.settle();
                assertNull(dialogue.server.failure(), dialogue.server.failureMessage());
            }
            assertEquals(40 * part.length(), dialogue.heardByServer.size());
        }
    }

    private static TlsEngine updating(TlsEngine engine) {
        return (TlsEngine)
                Proxy.newProxyInstance(
                        TlsEngine.class.getClassLoader(),
                        new Class<?>[] {TlsEngine.class},
                        (_, method, arguments) -> {
                            Object result = method.invoke(engine, arguments);
                            return method.getName().equals("unwrap")
                                    ? wantingToSend((SSLEngineResult) result)
                                    : result;
                        });
    }

    private static SSLEngineResult wantingToSend(SSLEngineResult result) {
        return new SSLEngineResult(
                result.getStatus(),
                HandshakeStatus.NEED_WRAP,
                result.bytesConsumed(),
                result.bytesProduced());
    }

    @Test
    void applicationProtocolsAreNegotiated() throws Exception {
        var protocols = settings("ec").withApplicationProtocols(List.of("h2", "http/1.1"));
        TlsContext context = TlsContext.open(protocols);
        TlsClient client = TlsClient.plain();
        SSLEngine both = client.engine(TLS_1_3, "localhost", List.of("http/1.1", "h2"));
        try (TlsDialogue dialogue = talk(context, both)) {
            assertEquals("h2", dialogue.server.applicationProtocol());
        }
        try (TlsDialogue dialogue = talk(context, client.engine(TLS_1_3, "localhost", List.of()))) {
            assertEquals("", dialogue.server.applicationProtocol());
        }
        SSLEngine other = client.engine(TLS_1_3, "localhost", List.of("ftp"));
        other.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(other, context.newSession())) {
            var rejected = assertThrows(SSLException.class, dialogue::settle);
            assertTrue(
                    String.valueOf(rejected).contains("no_application_protocol"),
                    rejected::toString);
            assertEquals(FailureReason.NO_SHARED_PROTOCOL, dialogue.server.failure());
        }
    }

    @Test
    void disabledVersionsAreRejected() throws Exception {
        TlsContext context =
                TlsContext.open(settings("ec").withVersions(Set.of(TlsVersion.TLS_1_3)));
        SSLEngine client = TlsClient.plain().engine(TLS_1_2);
        client.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(client, context.newSession())) {
            var rejected = assertThrows(SSLException.class, dialogue::settle);
            assertTrue(String.valueOf(rejected).contains("protocol_version"), rejected::toString);
            assertEquals(FailureReason.NO_SHARED_VERSION, dialogue.server.failure());
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
    void serverNameSelectsCertificate(String name, String algorithm, String expected)
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
    void clientWithoutEcdsaGetsRsaCertificate() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_2);
        client.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
        try (TlsDialogue dialogue = talk(context("ec", "rsa"), client)) {
            assertEquals("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", dialogue.server.cipher());
        }
    }

    @Test
    void clientWithoutSharedCipherIsRejected() throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_2);
        client.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"});
        client.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(client, context("rsa").newSession())) {
            assertThrows(SSLException.class, dialogue::settle);
            assertEquals(
                    FailureReason.NO_SHARED_CIPHER,
                    dialogue.server.failure(),
                    dialogue.server.failureMessage());
        }
    }

    /// Those that a client could choose to cost more.
    @ParameterizedTest
    @ValueSource(strings = {"secp521r1", "x448", "ffdhe2048", "ffdhe8192"})
    void clientWithoutSharedGroupIsRejected(String group) throws Exception {
        TlsContext context = context("ec");
        SSLEngine client = clientOf(group);
        assertThrows(SSLException.class, () -> talk(context, client));
        try (TlsDialogue dialogue = talk(context, clientOf("secp384r1"))) {
            assertEquals(TlsAction.RECEIVE, dialogue.next, dialogue.server.failureMessage());
        }
    }

    private static SSLEngine clientOf(String group) throws Exception {
        SSLEngine client = TlsClient.plain().engine(TLS_1_3);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setNamedGroups(new String[] {group});
        client.setSSLParameters(parameters);
        return client;
    }

    @Test
    void unknownNamesAreRejectedIfConfigured() throws Exception {
        TlsContext context = TlsContext.open(settings("ec").withUnknownNamesRejected(true));
        SSLEngine client = TlsClient.plain().engine(TLS_1_3, "unknown.test", List.of());
        client.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(client, context.newSession())) {
            var rejected = assertThrows(SSLException.class, dialogue::settle);
            assertTrue(String.valueOf(rejected).contains("unrecognized_name"), rejected::toString);
            assertEquals(FailureReason.UNKNOWN_NAME, dialogue.server.failure());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void requiredClientCertificatesAreChecked(String version) throws Exception {
        var asked =
                settings("ec")
                        .withClientCertificates(
                                ClientCertificateMode.REQUIRED, Credentials.file("ca.pem"));
        TlsContext context = TlsContext.open(asked);
        try (TlsDialogue dialogue = talk(context, TlsClient.of("client.p12").engine(version))) {
            assertEquals(
                    "CN=client",
                    dialogue.server
                            .clientCertificates()
                            .getFirst()
                            .getSubjectX500Principal()
                            .getName());
            assertEquals(0, dialogue.cheap, "a certificate is verified by a worker");
        }
        SSLEngine bare = TlsClient.plain().engine(version);
        bare.beginHandshake();
        try (TlsDialogue dialogue = new TlsDialogue(bare, context.newSession())) {
            assertThrows(SSLException.class, dialogue::settle);
            assertEquals(
                    FailureReason.CLIENT_CERTIFICATE,
                    dialogue.server.failure(),
                    dialogue.server.failureMessage());
        }
    }

    @Test
    void optionalClientCertificatesAreChecked() throws Exception {
        var asked =
                settings("ec")
                        .withClientCertificates(
                                ClientCertificateMode.OPTIONAL, Credentials.file("ca.pem"));
        TlsContext context = TlsContext.open(asked);
        try (TlsDialogue dialogue = talk(context, TlsClient.plain().engine(TLS_1_3))) {
            assertEquals(TlsAction.RECEIVE, dialogue.next, dialogue.server.failureMessage());
            assertEquals(List.of(), dialogue.server.clientCertificates());
        }
        try (TlsDialogue dialogue = talk(context, TlsClient.of("client.p12").engine(TLS_1_3))) {
            assertEquals(1, dialogue.server.clientCertificates().size());
        }
    }

    @Test
    void internalFailureEndsSessionAndIsCounted() throws Exception {
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
    void secondCloseHasNoEffect() throws Exception {
        TlsDialogue dialogue = talk(context("ec"), TlsClient.plain().engine(TLS_1_3));
        dialogue.close();
        dialogue.close();
        assertThrows(IllegalStateException.class, dialogue.server::version);
    }
}
