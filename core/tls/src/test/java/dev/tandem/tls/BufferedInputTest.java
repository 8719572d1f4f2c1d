package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BufferedInputTest {
    private static final int LENGTH = 16_000;

    private final BufferedInput input = new BufferedInput();

    private static ByteBuffer record(int length) {
        var record = ByteBuffer.allocate(BufferedInput.RECORD_HEADER + length);
        record.put(new byte[] {23, 3, 3}).putShort((short) length);
        return record.rewind();
    }

    /// A client could occupy memory by the length that it announces.
    @Test
    void memoryIsForWhatHasCome() {
        input.completeFirst(record(LENGTH).limit(10));
        assertTrue(input.capacity() <= 20, input.capacity() + " bytes");
        input.completeFirst(record(LENGTH).position(10).limit(5_000));
        assertTrue(input.capacity() <= 10_000, input.capacity() + " bytes");
        input.completeFirst(record(LENGTH).position(5_000));
        assertEquals(BufferedInput.RECORD_HEADER + LENGTH, input.capacity());
        assertTrue(BufferedInput.isRecordComplete(input.bytes()));
    }

    /// Where each record that is used made room for one, all others would be copied each time.
    @Test
    void smallRecordsAreNotCopiedForEachOther() {
        input.append(ByteBuffer.allocate(LENGTH));
        input.bytes().position(10);
        input.append(ByteBuffer.allocate(10));
        ByteBuffer first = input.bytes();
        for (int used = 10; used < LENGTH / 3; used += 10) {
            first.position(first.position() + 10);
            input.append(ByteBuffer.allocate(10));
            assertSame(first, input.bytes());
        }
    }
}
