package dev.tandem.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.PageCodec;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Against the native library, in both directions.
class VectorLz4CodecTest {
    private static final int GUARD = 64;

    private final PageCodec vector = new VectorLz4Codec();
    private final PageCodec library = PageCodec.lz4();
    private final Random random = new Random(5);

    /// Of every period of repetition and share of random bytes.
    private ByteBuffer page(int length, int period, int percent) {
        var page = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            boolean isRandom = i < period || random.nextInt(100) < percent;
            page.put(i, isRandom ? (byte) random.nextInt() : page.get(i - period));
        }
        return page;
    }

    private static ByteBuffer compressed(PageCodec by, ByteBuffer page) {
        ByteBuffer output = ByteBuffer.allocateDirect(by.compressedMax(page.remaining()));
        return output.limit(by.compress(page, output));
    }

    private void check(ByteBuffer page) {
        int[] pair = {0, 0};
        PageCodec[] both = {vector, library};
        for (int i = 0; i < 2; i++) {
            ByteBuffer packed = compressed(both[i], page);
            pair[i] = packed.remaining();
            for (PageCodec by : both) {
                ByteBuffer plain = ByteBuffer.allocateDirect(page.remaining());
                by.decompress(packed, plain);
                assertEquals(page, plain, by.name() + " of " + both[i].name());
            }
        }
        assertTrue(pair[0] <= pair[1] * 1.1 + 64, pair[0] + " bytes, of the library " + pair[1]);
    }

    @Test
    void pagesOfBothAreTheSame() {
        for (int length : new int[] {0, 1, 4, 5, 12, 13, 14, 31, 32, 33, 64, 255, 4_096}) {
            check(page(length, 3, 10));
            check(page(length, 40, 0));
        }
        for (int period : new int[] {1, 2, 7, 8, 9, 31, 32, 33, 300, 65_535, 65_536}) {
            for (int percent : new int[] {0, 8}) {
                check(page(70_000, period, percent));
            }
        }
    }

    @Test
    void largestPageIsPossible() {
        check(page(131_072, 70_000, 0));
        check(page(131_072, 20, 100));
    }

    @Test
    void brokenPageIsRejectedOrHasItsLength() {
        ByteBuffer page = page(8_000, 50, 5);
        ByteBuffer packed = compressed(vector, page);
        for (int i = 0; i < 4_000; i++) {
            var broken = ByteBuffer.allocateDirect(packed.remaining()).put(packed.duplicate());
            broken.flip();
            for (int k = random.nextInt(3); k >= 0; k--) {
                broken.put(random.nextInt(broken.limit()), (byte) random.nextInt());
            }
            if (random.nextInt(4) == 0) {
                broken.limit(random.nextInt(broken.limit() + 1));
            }
            decompressGuarded(broken, page.remaining());
        }
    }

    private void decompressGuarded(ByteBuffer broken, int length) {
        var all = ByteBuffer.allocateDirect(length + 2 * GUARD);
        try {
            vector.decompress(broken, all.slice(GUARD, length));
        } catch (IllegalStateException _) {
            // As it should.
        }
        for (int i = 0; i < GUARD; i++) {
            assertEquals(0, all.get(i));
            assertEquals(0, all.get(GUARD + length + i));
        }
    }

    @Test
    void pageOfAnotherLengthIsRejected() {
        ByteBuffer packed = compressed(vector, page(1_000, 20, 5));
        for (int length : new int[] {0, 999, 1_001}) {
            assertThrows(
                    IllegalStateException.class,
                    () -> vector.decompress(packed, ByteBuffer.allocateDirect(length)));
        }
    }
}
