package dev.tandem.http.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameEncoderTest {
    /// RFC 6455, section 5.7.
    @Test
    void textOfTheRfc() {
        ByteBuffer hello = ByteBuffer.wrap("Hello".getBytes(StandardCharsets.UTF_8));
        assertArrayEquals(
                Frames.hex("810548656c6c6f"),
                Frames.bytes(FrameEncoder.message(Opcode.TEXT, hello.duplicate())));
        ByteBuffer out = ByteBuffer.allocate(20);
        FrameEncoder.masked(out, Opcode.TEXT, true, hello, 0x37FA213D);
        assertArrayEquals(Frames.hex("818537fa213d7f9f4d5158"), Frames.bytes(out.flip()));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 8200",
        "125, 827d",
        "126, 827e007e",
        "65535, 827effff",
        "65536, 827f0000000000010000"
    })
    void lengthIsInItsShortestForm(int length, String header) {
        byte[] frame =
                Frames.bytes(FrameEncoder.message(Opcode.BINARY, ByteBuffer.allocate(length)));
        byte[] expected = Frames.hex(header);
        assertArrayEquals(expected, java.util.Arrays.copyOf(frame, expected.length));
        assertEquals(expected.length + length, frame.length);
    }

    /// The text is cut to 123 bytes, between two characters.
    @Test
    void closeFrameIsNeverTooLong() {
        byte[] frame =
                Frames.bytes(FrameEncoder.close(new CloseReason(1000, "a" + "€".repeat(60))));
        assertEquals(2 + 2 + 121, frame.length);
        String text = new String(frame, 4, frame.length - 4, StandardCharsets.UTF_8);
        assertTrue(text.endsWith("€"), text);
        assertArrayEquals(
                Frames.hex("8800"), Frames.bytes(FrameEncoder.close(CloseReason.of(1005))));
    }
}
