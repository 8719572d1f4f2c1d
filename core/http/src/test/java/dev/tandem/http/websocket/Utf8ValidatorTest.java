package dev.tandem.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Compared with the JDK's decoder.
class Utf8ValidatorTest {
    private static boolean isValid(byte[] bytes, int cut) {
        var validator = new Utf8Validator();
        return validator.accept(ByteBuffer.wrap(bytes, 0, cut))
                && validator.accept(ByteBuffer.wrap(bytes, cut, bytes.length - cut))
                && validator.isComplete();
    }

    private static boolean isValidToJdk(byte[] bytes) {
        var out = CharBuffer.allocate(bytes.length);
        return !StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes), out, true)
                .isError();
    }

    @Test
    void allOfThreeBytes() {
        for (int i = 0xC00000; i < 1 << 24; i++) {
            byte[] bytes = {(byte) (i >> 16), (byte) (i >> 8), (byte) i};
            if (isValid(bytes, 0) != isValidToJdk(bytes)) {
                assertEquals(isValidToJdk(bytes), isValid(bytes, 0), Integer.toHexString(i));
            }
        }
    }

    @Test
    void allBeginningsOfFourBytesAtEachCut() {
        int[] edges = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xED, 0xF4, 0xFF};
        int count = edges.length;
        for (int i = 0; i < 0x40 * count * count * count; i++) {
            byte[] bytes = {
                (byte) (0xC0 + i / (count * count * count)),
                (byte) edges[i / (count * count) % count],
                (byte) edges[i / count % count],
                (byte) edges[i % count]
            };
            for (int cut = 0; cut <= bytes.length; cut++) {
                assertEquals(isValidToJdk(bytes), isValid(bytes, cut));
            }
        }
    }
}
