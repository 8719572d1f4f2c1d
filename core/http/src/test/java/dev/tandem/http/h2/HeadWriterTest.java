package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.Headers;
import dev.tandem.http.PreparedResponse;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Encoding of heads: RFC 7541; RFC 9113, sections 8.2 and 8.3.
class HeadWriterTest {
    private final HpackEncoder encoder = new HpackEncoder(4_096);
    private final HeadWriter writer = new HeadWriter();
    private final HpackDecoder decoder = new HpackDecoder(4_096);

    @Test
    void responseIsDecodedAsWritten() {
        for (int i = 0; i < 3; i++) {
            writer.start(encoder)
                    .status(200)
                    .header("Content-Type", "text/html; charset=utf-8")
                    .contentLength(12_345)
                    .header("Set-Cookie", "a=b; Path=/")
                    .header("X-Own", "value " + i)
                    .header("etag", "\"1\"");
            assertEquals(
                    """
                    :status: 200
                    content-type: text/html; charset=utf-8
                    content-length: 12345
                    set-cookie: a=b; Path=/
                    x-own: value %d
                    etag: "1"
                    """
                            .formatted(i),
                    decoded());
        }
        assertEquals(
                """
                x-own: value 2
                x-own: value 1
                x-own: value 0
                content-type: text/html; charset=utf-8\
                """,
                encoder.table().toString());
        assertEquals(encoder.table().toString(), decoder.table().toString());
    }

    @Test
    void repeatedHeaderIsOneByte() {
        writer.start(encoder).status(200).header("Server", "x");
        decoded();
        writer.start(encoder).status(200).header("Server", "x");
        assertEquals("88be", hex());
    }

    @ParameterizedTest
    @CsvSource({
        "Connection, keep-alive",
        "Keep-Alive, timeout=5",
        "Proxy-Connection, close",
        "Transfer-Encoding, chunked",
        "Upgrade, websocket",
        "TE, gzip"
    })
    void headerOfHttp1ConnectionsIsDropped(String name, String value) {
        writer.start(encoder).header(name, value);
        assertEquals("", hex());
        assertEquals("", Hex.of(PreparedHead.header(name, value)));
    }

    @Test
    void teTrailersIsSent() {
        writer.start(encoder).header("TE", "trailers");
        assertEquals("te: trailers\n", decoded());
    }

    @ParameterizedTest
    @CsvSource({
        "authorization, Basic abcdefghijklmnopqrstuvwxyz",
        "proxy-authorization, x",
        "set-cookie, a=b",
        "cookie, a=b"
    })
    void secretIsNeverIndexed(String name, String value) {
        writer.start(encoder).header(name, value);
        assertEquals(0x10, writer.bytes()[0] & 0xF0);
        assertEquals(name + ": " + value + "\n", decoded());
        assertEquals(0, encoder.table().count());
        assertEquals(0x10, PreparedHead.header(name, value)[0] & 0xF0);
    }

    @Test
    void longCookieIsIndexed() {
        writer.start(encoder).header("cookie", "session=0123456789abcdef");
        decoded();
        writer.start(encoder).header("cookie", "session=0123456789abcdef");
        assertEquals("be", hex());
    }

    @ParameterizedTest
    @ValueSource(strings = {"content-length", "etag", "last-modified", "date", "location"})
    void changingValueIsNotAdded(String name) {
        writer.start(encoder).header(name, "x");
        assertEquals(0, writer.bytes()[0] & 0xF0);
        assertEquals(name + ": x\n", decoded());
        assertEquals(0, encoder.table().count());
    }

    @Test
    void largeHeaderIsNotAdded() {
        writer.start(encoder).header("x-large", "v".repeat(2_048));
        assertEquals("x-large: " + "v".repeat(2_048) + "\n", decoded());
        assertEquals(0, encoder.table().count());
    }

    @Test
    void blanksAroundAValueAreRemoved() {
        writer.start(encoder).header("a", " \tb c\t ").header("d", " ").header("e", "");
        assertEquals("a: b c\nd: \ne: \n", decoded());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\r", "\0", "\u007f", "\u0100", "\u560a"})
    void invalidValueIsRejectedAndTheBlockStaysValid(String value) {
        writer.start(encoder).status(200).header("a", "b");
        assertThrows(IllegalArgumentException.class, () -> writer.header("x", value));
        assertThrows(IllegalArgumentException.class, () -> PreparedHead.header("x", value));
        writer.header("c", "d");
        assertEquals(":status: 200\na: b\nc: d\n", decoded());
        assertEquals(encoder.table().toString(), decoder.table().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", ":unknown", "\u00e4", "a\r\n"})
    void invalidNameIsRejected(String name) {
        writer.start(encoder);
        assertThrows(IllegalArgumentException.class, () -> writer.header(name, "x"));
        assertThrows(IllegalArgumentException.class, () -> PreparedHead.header(name, "x"));
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 101, 600, -1})
    void invalidStatusIsRejected(int status) {
        writer.start(encoder);
        assertThrows(IllegalArgumentException.class, () -> writer.status(status));
    }

    @Test
    void allStatusesAreWritten() {
        for (int status = 100; status < 600; status++) {
            if (status != 101) {
                writer.start(encoder).status(status);
                assertEquals(":status: " + status + "\n", decoded());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99_999, Long.MAX_VALUE})
    void contentLengthIsWritten(long length) {
        writer.start(encoder).contentLength(length);
        assertEquals("content-length: " + length + "\n", decoded());
    }

    @Test
    void negativeContentLengthIsRejected() {
        writer.start(encoder);
        assertThrows(IllegalArgumentException.class, () -> writer.contentLength(-1));
    }

    @Test
    void trailersAreWritten() {
        writer.start(encoder).headers(Headers.of("Grpc-Status", "0", "X-Sum", "42"));
        assertEquals("grpc-status: 0\nx-sum: 42\n", decoded());
    }

    @Test
    void preparedHeadIsTheSameOnEveryConnection() {
        byte[] date = PreparedHead.header("Date", "Mon, 21 Oct 2013 20:13:21 GMT");
        var response =
                new PreparedResponse(
                        404,
                        "Content-Type: text/plain\r\nContent-Length: 2\r\nX-Own: a: b\r\n",
                        ByteBuffer.allocateDirect(2));
        writer.start(encoder).prepared(response.headerBlock(PreparedHead::of)).prepared(date);
        String list =
                """
                :status: 404
                content-type: text/plain
                content-length: 2
                x-own: a: b
                date: Mon, 21 Oct 2013 20:13:21 GMT
                """;
        assertEquals(list, decoded());
        assertEquals(0, decoder.table().count());
        assertEquals(list, decoded(), "a second time");
    }

    @Test
    void smallerTableIsAnnounced() {
        var small = new HpackEncoder(100);
        writer.start(small).header("a", "b");
        assertEquals("3f45 40 0161 0162".replace(" ", ""), hex());
        assertEquals("a: b\n", decoded());
        writer.start(small).header("a", "b");
        assertEquals("be", hex());
    }

    @Test
    void tableOfTheEncoderIsNotLargerThanThePeersSetting() {
        encoder.apply(change(100, 100));
        writer.start(encoder).header("a", "b");
        assertEquals("3f45 40 0161 0162".replace(" ", ""), hex());
        encoder.apply(change(100_000, 100_000));
        writer.start(encoder).header("a", "b");
        assertEquals("3fe11f be".replace(" ", ""), hex());
    }

    /// RFC 7541, section 4.2: the smallest size between two blocks is announced, too.
    @Test
    void tableThatHasShrunkAndGrownIsAnnouncedTwice() {
        writer.start(encoder).header("a", "b");
        decoded();
        encoder.apply(change(0, 4_096));
        writer.start(encoder).header("a", "b");
        assertEquals("20 3fe11f 40 0161 0162".replace(" ", ""), hex());
        assertEquals("a: b\n", decoded());
        writer.start(encoder).header("a", "b");
        assertEquals("be", hex());
    }

    @Test
    void tableOfSizeZeroIsNotUsed() {
        var none = new HpackEncoder(0);
        writer.start(none).header("a", "b").header("a", "b");
        assertEquals("a: b\na: b\n", decoded());
        assertEquals(0, decoder.table().count());
    }

    @Test
    void evictionIsTheSameAsThePeers() {
        var random = new Random(7);
        for (int block = 0; block < 500; block++) {
            if (random.nextInt(20) == 0) {
                int size = random.nextInt(600);
                encoder.apply(change(Math.min(size, random.nextInt(600)), size));
                decoder.tableSizeMax(4_096);
            }
            writer.start(encoder);
            var expected = new StringBuilder();
            for (int i = random.nextInt(6); i > 0; i--) {
                String name = "name-" + random.nextInt(12);
                String value = "v".repeat(random.nextInt(40)) + random.nextInt(5);
                writer.header(name, value);
                expected.append(name).append(": ").append(value).append('\n');
            }
            assertEquals(expected.toString(), decoded());
            assertEquals(decoder.table().toString(), encoder.table().toString());
            assertEquals(decoder.table().size(), encoder.table().size());
        }
    }

    private static SettingsChange change(int least, int size) {
        Settings after = Settings.INITIAL.withHeaderTableSize(size);
        return new SettingsChange(Settings.INITIAL, after, least, 1);
    }

    private String hex() {
        return Hex.of(writer.bytes(), writer.length());
    }

    private String decoded() {
        var list = new HeaderList();
        list.begin(Integer.MAX_VALUE, 1_000);
        assertNull(decoder.decode(writer.bytes(), 0, writer.length(), list));
        return Lists.text(list);
    }
}
