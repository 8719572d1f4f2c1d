package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkFramingTest {
    private final ByteBuffer to = ByteBuffer.allocate(64);

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 10, 15, 16, 255, 256, 4_096, 65_535, 65_536, Integer.MAX_VALUE})
    void sizeIsHexadecimal(int size) {
        ChunkFraming.put(size, to);
        assertEquals(Integer.toHexString(size) + "\r\n", put());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 4_096, 0xABCDE, Integer.MAX_VALUE})
    void sizeIsWrittenToArray(int size) {
        int end = ChunkFraming.write(size, to.array(), 3);
        assertEquals(Integer.toHexString(size) + "\r\n", SplitInput.text(to.array(), 3, end));
    }

    @Test
    void largestSizeFitsMaximumLength() {
        assertEquals(ChunkFraming.LENGTH_MAX, ChunkFraming.write(Integer.MAX_VALUE, to.array(), 0));
    }

    /// A chunk of size 0 would end the body.
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void sizeBelowOneThrows(int size) {
        assertThrows(IllegalArgumentException.class, () -> ChunkFraming.put(size, to));
    }

    @Test
    void writtenBodyIsDecoded() {
        ChunkFraming.put(5, to);
        to.put(SplitInput.bytes("hello"));
        ChunkFraming.putCrlf(to);
        ChunkFraming.putLast(to);
        to.put(SplitInput.bytes("X-Sum: 42\r\n"));
        ChunkFraming.putCrlf(to);
        String wire = put();
        assertEquals(
                new SplitInput.BodyReading("hello", "done", "X-Sum: 42\n", wire.length()),
                SplitInput.chunked(wire));
    }

    private String put() {
        return SplitInput.text(to.array(), 0, to.position());
    }
}
