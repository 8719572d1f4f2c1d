package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordReaderTest {
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder errors = new StringBuilder();

    private final RecordReader.Streams streams =
            new RecordReader.Streams() {
                @Override
                public void output(byte[] bytes, int from, int to) {
                    output.append(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
                }

                @Override
                public void errors(byte[] bytes, int from, int to) {
                    errors.append(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
                }
            };

    static byte[] record(int type, int id, String content, int padding) {
        var out = new ByteArrayOutputStream();
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        out.write(1);
        out.write(type);
        out.write(id >> 8);
        out.write(id);
        out.write(bytes.length >> 8);
        out.write(bytes.length);
        out.write(padding);
        out.write(0);
        out.writeBytes(bytes);
        out.writeBytes(new byte[padding]);
        return out.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] whole() {
        return join(
                record(6, 1, "Status: 200\r\n", 3),
                record(7, 1, "a warning\n", 0),
                record(10, 0, "whatever", 0),
                record(11, 0, "\7\0\0\0\0\0\0\0", 0),
                record(6, 1, "", 0),
                record(6, 1, "\r\nhello", 255),
                record(7, 1, "", 0),
                record(3, 1, "\0\0\0\5\0\0\0\0", 8));
    }

    @Test
    void recordsAreParsedHoweverTheyAreSplit() throws IOException {
        byte[] bytes = whole();
        for (int split = 0; split <= bytes.length; split++) {
            output.setLength(0);
            errors.setLength(0);
            var reader = new RecordReader(1);
            reader.read(ByteBuffer.wrap(bytes, 0, split).slice(), streams);
            reader.read(ByteBuffer.wrap(bytes, split, bytes.length - split).slice(), streams);
            assertTrue(reader.isComplete());
            assertNull(reader.error());
            assertEquals("Status: 200\r\n\r\nhello", output.toString());
            assertEquals("a warning\n", errors.toString());
            assertEquals(0, reader.protocolStatus());
        }
    }

    @Test
    void inputBehindTheEndIsNotRead() throws IOException {
        ByteBuffer in = ByteBuffer.wrap(join(whole(), record(6, 1, "more", 0)));
        var reader = new RecordReader(1);
        reader.read(in, streams);
        assertEquals(12, in.remaining());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1", "2, 1", "4, 1", "5, 1", "8, 1", "9, 0", "12, 1", "0, 0", "6, 2", "7, 0", "3, 2"
    })
    void recordsOfServersAreRejected(int type, int id) throws IOException {
        var reader = new RecordReader(1);
        reader.read(ByteBuffer.wrap(record(type, id, "xxxxxxxx", 0)), streams);
        assertNotNull(reader.error());
        assertFalse(reader.isComplete());
        assertEquals("", output.toString());
    }

    @Test
    void otherVersionOrLengthIsRejected() throws IOException {
        byte[] http = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        var one = new RecordReader(1);
        one.read(ByteBuffer.wrap(http), streams);
        assertNotNull(one.error());
        var other = new RecordReader(1);
        other.read(ByteBuffer.wrap(record(3, 1, "short", 0)), streams);
        assertNotNull(other.error());
    }

    @Test
    void randomInputNeverThrows() throws IOException {
        var random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = whole();
            for (int flips = random.nextInt(6); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            output.setLength(0);
            new RecordReader(1).read(ByteBuffer.wrap(bytes), streams);
            assertTrue(output.length() <= bytes.length);
        }
    }

    @Test
    void lengthsOfPairsTakeOneOrFourBytes() {
        byte[] pairs = RecordWriter.pairs(List.of("A=", "B=" + "x".repeat(128)));
        assertArrayEquals(
                new byte[] {1, 0, 'A', 1, (byte) 0x80, 0, 0, (byte) 128, 'B'},
                java.util.Arrays.copyOf(pairs, 9));
        assertEquals(9 + 128, pairs.length);
    }
}
