package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyProtocolReaderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PROXY TCP4 192.0.2.1 198.51.100.1 56324 443   | 192.0.2.1:56324 198.51.100.1:443
                    PROXY TCP4 255.255.255.255 0.0.0.0 65535 0    | 255.255.255.255:65535 0.0.0.0:0
                    PROXY TCP6 2001:db8::1 ::1 1 2                | [2001:db8:0:0:0:0:0:1]:1 [0:0:0:0:0:0:0:1]:2
                    PROXY UNKNOWN                                 | COMPLETE
                    PROXY UNKNOWN ff::1 anything goes here        | COMPLETE
                    """)
    void version1HeadersAreRead(String line, String expected) {
        assertReads(bytes(line + "\r\n"), expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    "GET / HTTP/1.1\\r\\n"
                    "PROXY\\r\\n"
                    "PROXY \\r\\n"
                    "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\\n"
                    "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\\r\\r\\n"
                    "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\\r "
                    "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443 \\r\\n"
                    "PROXY TCP4 192.0.2.1  198.51.100.1 56324 443\\r\\n"
                    "PROXY TCP4 192.0.2.1 198.51.100.1 56324\\r\\n"
                    "PROXY TCP4 192.0.2.1 198.51.100.1 65536 443\\r\\n"
                    "PROXY TCP4 192.0.2.1 198.51.100.1 056 443\\r\\n"
                    "PROXY TCP4 192.0.2.01 198.51.100.1 56 443\\r\\n"
                    "PROXY TCP4 192.0.2.256 198.51.100.1 56 443\\r\\n"
                    "PROXY TCP4 3221225985 198.51.100.1 56 443\\r\\n"
                    "PROXY TCP4 localhost 198.51.100.1 56 443\\r\\n"
                    "PROXY TCP4 ::1 ::1 56 443\\r\\n"
                    "PROXY TCP6 192.0.2.1 192.0.2.1 56 443\\r\\n"
                    "PROXY TCP6 1::2::3 ::1 56 443\\r\\n"
                    "PROXY UDP4 192.0.2.1 198.51.100.1 56324 443\\r\\n"
                    "PROXY UNKNOWN\\t\\r\\n"
                    """)
    void invalidVersion1HeadersAreRejected(String line) {
        assertReads(bytes(line.translateEscapes()), "INVALID");
    }

    @Test
    void version1HeaderLengthIsLimited() {
        assertReads(bytes("PROXY UNKNOWN " + "x".repeat(91) + "\r\n"), "COMPLETE");
        assertReads(bytes("PROXY UNKNOWN " + "x".repeat(92) + "\r\n"), "INVALID");
    }

    @ParameterizedTest
    @CsvSource({
        // IPv4; followed by TLVs
        "21 11 000c c0000201 c6336401 dc04 01bb, 192.0.2.1:56324 198.51.100.1:443",
        "21 11 0010 c0000201 c6336401 dc04 01bb 04000100, 192.0.2.1:56324 198.51.100.1:443",
        // a health check; not specified; a datagram; a Unix socket
        "20 00 0000, COMPLETE",
        "20 11 000c c0000201 c6336401 dc04 01bb, COMPLETE",
        "21 00 0002 ffff, COMPLETE",
        "21 12 000c c0000201 c6336401 dc04 01bb, COMPLETE",
        "21 31 0000, COMPLETE",
        // another version; another command; too short; too long
        "11 11 000c, INVALID",
        "22 11 000c, INVALID",
        "21 11 000b c0000201 c6336401 dc04 01, INVALID",
        "21 11 0ff1, INVALID",
        "21 11 ffff, INVALID"
    })
    void version2HeadersAreRead(String rest, String expected) {
        assertReads(HexFormat.of().parseHex(SIGNATURE + rest.replace(" ", "")), expected);
    }

    @Test
    void version2Ipv6HeadersAreRead() {
        String hosts = "20010db8000000000000000000000001" + "0".repeat(31) + "1";
        assertReads(
                HexFormat.of().parseHex(SIGNATURE + "21210024" + hosts + "00010002"),
                "[2001:db8:0:0:0:0:0:1]:1 [0:0:0:0:0:0:0:1]:2");
    }

    @Test
    void invalidInputNeverThrows() {
        var random = new Random(20261122);
        byte[] good = HexFormat.of().parseHex(SIGNATURE + "2111000cc0000201c6336401dc0401bb");
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.clone();
            for (int spoilt = random.nextInt(4); spoilt > 0; spoilt--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            String whole = read(bytes, bytes.length);
            assertEquals(whole, read(bytes, 1 + random.nextInt(bytes.length)));
        }
    }

    private static void assertReads(byte[] header, String expected) {
        for (int cut = 0; cut <= header.length; cut++) {
            assertEquals(expected, read(header, cut), "cut at " + cut);
        }
    }

    @Test
    void bytesAfterHeaderAreNotConsumed() {
        var wire = ByteBuffer.wrap(bytes("PROXY UNKNOWN\r\n\u0016\u0003"));
        assertEquals(ProxyProtocolReader.Status.COMPLETE, new ProxyProtocolReader().read(wire));
        assertEquals(2, wire.remaining());
    }

    /// In two pieces, followed by another byte.
    private static String read(byte[] header, int cut) {
        var reader = new ProxyProtocolReader();
        reader.read(ByteBuffer.wrap(header, 0, cut));
        var rest = ByteBuffer.allocate(header.length - cut + 1);
        rest.put(header, cut, header.length - cut).put((byte) 22).flip();
        ProxyProtocolReader.Status status = reader.read(rest);
        return reader.source() == null
                ? status.name()
                : text(reader.source()) + " " + text(reader.destination());
    }

    private static String text(@Nullable Object address) {
        return String.valueOf(address).replace("/", "");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
