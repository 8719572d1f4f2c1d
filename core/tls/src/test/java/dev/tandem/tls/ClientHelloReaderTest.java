package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloReaderTest {
    private static ClientHello hello(ClientHellos hellos) {
        var reader = new ClientHelloReader();
        assertEquals(
                ClientHelloReader.Status.COMPLETE, reader.read(ByteBuffer.wrap(hellos.record())));
        return reader.hello();
    }

    @Test
    void typicalClientHelloIsRead() {
        assertEquals(
                new ClientHello(
                        "a.example", List.of("h2", "http/1.1"), true, true, false, false, true, 1),
                hello(ClientHellos.usual()));
    }

    @Test
    void clientHelloWithoutExtensionsIsRead() {
        var old = new ClientHellos();
        old.suites = "c02b";
        old.sessionId = new byte[0];
        assertEquals(
                new ClientHello("", List.of(), true, false, false, false, false, 7), hello(old));
        old.version = 0x0302;
        assertFalse(hello(old).isTls12());
    }

    @Test
    void resumptionOfferIsDetected() {
        assertFalse(hello(ClientHellos.usual()).claimsToResume(), "its session id means nothing");
        assertTrue(hello(new ClientHellos()).claimsToResume(), "TLS 1.2: it does");
        assertTrue(hello(ClientHellos.usual().with(41, "00")).claimsToResume());
        assertTrue(hello(ClientHellos.usual().with(35, "01")).claimsToResume());
        assertFalse(hello(ClientHellos.usual().with(35, "")).claimsToResume(), "it wants a ticket");
    }

    @Test
    void ecdsaRequiresCipherSuiteAndCurve() {
        var rsaOnly = new ClientHellos();
        rsaOnly.suites = "c02f";
        assertFalse(hello(rsaOnly).takesEcdsa(256));
        assertTrue(hello(ClientHellos.usual()).takesEcdsa(256));
        assertFalse(hello(ClientHellos.usual()).takesEcdsa(384));
    }

    @Test
    void resultDoesNotDependOnSplit() {
        byte[] message = ClientHellos.usual().message();
        for (int size : new int[] {1, 2, 3, 4, 5, 50, message.length}) {
            byte[] wire =
                    ClientHellos.join(ClientHellos.records(message, size), new byte[] {20, 3, 3});
            for (int cut = 0; cut <= wire.length; cut++) {
                var reader = new ClientHelloReader();
                reader.read(ByteBuffer.wrap(wire, 0, cut));
                var rest = ByteBuffer.wrap(wire, cut, wire.length - cut);
                assertEquals(ClientHelloReader.Status.COMPLETE, reader.read(rest));
                assertEquals("a.example", reader.hello().serverName());
                assertArrayEquals(ClientHellos.usual().record(), reader.bytes());
            }
        }
    }

    @Test
    void messageOfManyRecordsIsKeptInAsFewAsItNeeds() {
        byte[] message = ClientHellos.usual().with(21, new byte[20_000]).message();
        byte[] wire = ClientHellos.records(message, 3);
        var reader = new ClientHelloReader();
        assertEquals(ClientHelloReader.Status.COMPLETE, reader.read(ByteBuffer.wrap(wire)));
        assertArrayEquals(ClientHellos.records(message, 16_384), reader.bytes());
    }

    /// RFC 8446, appendix D.5.
    @Test
    void versionOfSsl3IsRejectedWhateverElseIsOffered() {
        for (int version : new int[] {0, 0x0200, 0x02ff, 0x0300}) {
            ClientHellos old = ClientHellos.usual();
            old.version = version;
            var reader = new ClientHelloReader();
            assertEquals(
                    ClientHelloReader.Status.INVALID, reader.read(ByteBuffer.wrap(old.record())));
            assertEquals(Alert.PROTOCOL_VERSION, reader.alert());
        }
    }

    @Test
    void truncatedInputIsIncomplete() {
        byte[] wire = ClientHellos.usual().record();
        for (int length = 0; length < wire.length; length++) {
            var reader = new ClientHelloReader();
            assertEquals(
                    ClientHelloReader.Status.INCOMPLETE,
                    reader.read(ByteBuffer.wrap(wire, 0, length)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "OPTIONS * HTTP/1.1", "M-SEARCH * HTTP/1.1"})
    void plainHttpIsDetected(String text) {
        assertRejected(
                text.getBytes(StandardCharsets.US_ASCII),
                FailureReason.PLAIN_HTTP,
                Alert.UNEXPECTED_MESSAGE);
    }

    @ParameterizedTest
    @MethodSource("bad")
    void invalidInputIsRejected(byte[] wire, FailureReason reason, Alert alert) {
        assertRejected(wire, reason, alert);
    }

    private static void assertRejected(byte[] wire, FailureReason reason, Alert alert) {
        for (int cut = 0; cut <= Math.min(wire.length, 400); cut++) {
            var reader = new ClientHelloReader();
            reader.read(ByteBuffer.wrap(wire, 0, cut));
            var rest = ByteBuffer.wrap(wire, cut, wire.length - cut);
            assertEquals(ClientHelloReader.Status.INVALID, reader.read(rest), "cut at " + cut);
            assertEquals(reason, reader.failure());
            assertEquals(alert, reader.alert());
        }
    }

    static Stream<Arguments> bad() {
        byte[] usual = ClientHellos.usual().message();
        var noNull = ClientHellos.usual();
        noNull.compressions = "01";
        var longId = new ClientHellos();
        longId.sessionId = new byte[33];
        var oddSuites = new ClientHellos();
        oddSuites.suites = "13 01 c0";
        return Stream.of(
                // not TLS
                of("80 2e 01 03 01", FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE),
                of("00", FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE),
                of("47 45 54 0d", FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE),
                of("41".repeat(19), FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE),
                of("20", FailureReason.NOT_TLS, Alert.UNEXPECTED_MESSAGE),
                of("16 02", FailureReason.NOT_TLS, Alert.PROTOCOL_VERSION),
                // records
                of("16 0301 0000", FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE),
                of("16 0301 4001", FailureReason.BAD_HELLO, Alert.RECORD_OVERFLOW),
                of("16 0301 0001 01 15", FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE),
                of("16 0301 0001 02", FailureReason.BAD_HELLO, Alert.UNEXPECTED_MESSAGE),
                of("16 0301 0004 01 010001", FailureReason.HELLO_TOO_LONG, Alert.ILLEGAL_PARAMETER),
                of(
                        ClientHellos.records(
                                ClientHellos.join(ClientHellos.hex("01 00ffff"), new byte[65_535]),
                                16_384),
                        FailureReason.HELLO_TOO_LONG,
                        Alert.ILLEGAL_PARAMETER),
                of(
                        ClientHellos.records(ClientHellos.join(usual, new byte[1]), 16_384),
                        FailureReason.BAD_HELLO,
                        Alert.UNEXPECTED_MESSAGE),
                // the message
                of("16 0301 0004 01 000000", FailureReason.BAD_HELLO, Alert.DECODE_ERROR),
                of(noNull, Alert.ILLEGAL_PARAMETER),
                of(longId, Alert.ILLEGAL_PARAMETER),
                of(oddSuites, Alert.DECODE_ERROR),
                // extensions: twice; pre_shared_key not last; empty lists; too short; too long
                of(ClientHellos.usual().name("b"), Alert.ILLEGAL_PARAMETER),
                of(new ClientHellos().with(41, "00").with(35, ""), Alert.ILLEGAL_PARAMETER),
                of(new ClientHellos().with(41, ""), Alert.DECODE_ERROR),
                of(new ClientHellos().name(""), Alert.DECODE_ERROR),
                of(new ClientHellos().name("a b"), Alert.ILLEGAL_PARAMETER),
                of(new ClientHellos().name("a\u00e9"), Alert.ILLEGAL_PARAMETER),
                of(new ClientHellos().name("a".repeat(256)), Alert.DECODE_ERROR),
                of(new ClientHellos().with(0, "0004 01 0001 61"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(0, "0004 00 0001 61 00"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(16, "0000"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(16, "0001 00"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(16, "0002 02 61"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(43, "00"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(43, "03 0304 03"), Alert.DECODE_ERROR),
                of(new ClientHellos().with(13, "0000"), Alert.DECODE_ERROR));
    }

    private static Arguments of(ClientHellos hellos, Alert alert) {
        return of(hellos.record(), FailureReason.BAD_HELLO, alert);
    }

    private static Arguments of(String hex, FailureReason reason, Alert alert) {
        return of(ClientHellos.hex(hex), reason, alert);
    }

    private static Arguments of(byte[] wire, FailureReason reason, Alert alert) {
        return Arguments.of(wire, reason, alert);
    }
}
