package dev.tandem.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.MultipartByteRanges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MultipartSegmentsTest {
    private static final List<ByteRange> RANGES =
            List.of(new ByteRange(5, 5), new ByteRange(0, 499), new ByteRange(990, 999));

    private final byte[] content = new byte[1_000];
    private boolean isClosed;

    /// Accepts only a few bytes at a time, like a slow client.
    @Test
    void contentIsTheSameForAnySegmentSize() throws IOException {
        new Random(1).nextBytes(content);
        var parts = new MultipartByteRanges(RANGES, content.length, "text/plain", "B");
        for (int most : new int[] {1, 7, 100, 10_000}) {
            var out = new ByteArrayOutputStream();
            isClosed = false;
            try (var pieces = new MultipartSegments(parts, new Memory())) {
                while (out.size() < parts.length()) {
                    int taken = pieces.transferTo(out.size(), piece -> take(piece, most, out));
                    assertTrue(taken > 0);
                }
            }
            assertTrue(isClosed);
            assertEquals(parts.length(), out.size());
            assertArrayEquals(expected(parts), out.toByteArray(), most + " at a time");
        }
    }

    private byte[] expected(MultipartByteRanges parts) {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < RANGES.size(); i++) {
            out.writeBytes(parts.partHead(i).getBytes(ISO_8859_1));
            ByteRange range = RANGES.get(i);
            out.write(content, (int) range.first(), (int) range.length());
        }
        out.writeBytes(parts.closeDelimiter().getBytes(ISO_8859_1));
        return out.toByteArray();
    }

    private static void take(ByteBuffer piece, int most, ByteArrayOutputStream to) {
        var bytes = new byte[Math.min(most, piece.remaining())];
        piece.get(bytes);
        to.writeBytes(bytes);
    }

    private final class Memory implements MultipartSegments.Source {
        @Override
        public int transferTo(long offset, long length, Body.Sink to) throws IOException {
            int size = (int) Math.min(300, length);
            var piece = ByteBuffer.allocateDirect(size).put(content, (int) offset, size).flip();
            to.write(piece);
            return piece.position();
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
