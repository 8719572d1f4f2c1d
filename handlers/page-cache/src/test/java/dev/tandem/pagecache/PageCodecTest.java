package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageCodecTest {
    private static final List<PageCodec> CODECS = List.of(PageCodec.lz4(), PageCodec.zstd(1));
    private static final int[] LENGTHS = {1, 255, 256, 4_096, 65_535, 65_536, 131_072};

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    static byte[] compressed(PageCodec codec, byte[] page) {
        ByteBuffer compressed = ByteBuffer.allocateDirect(codec.compressedMax(page.length));
        var bytes = new byte[codec.compress(direct(page), compressed)];
        compressed.get(bytes);
        return bytes;
    }

    @Test
    void decompressedPageIsTheOriginal() {
        for (PageCodec codec : CODECS) {
            for (int length : LENGTHS) {
                for (int random : new int[] {0, 40, 100}) {
                    byte[] page = Contents.of(length, length, random);
                    ByteBuffer again = ByteBuffer.allocateDirect(length);
                    codec.decompress(direct(compressed(codec, page)), again);
                    assertEquals(direct(page), again);
                }
            }
        }
    }

    @Test
    void corruptPageIsDetected() {
        byte[] page = Contents.of(3, 65_536, 40);
        for (PageCodec codec : CODECS) {
            byte[] compressed = compressed(codec, page);
            ByteBuffer tooLong = ByteBuffer.allocateDirect(page.length + 1);
            assertThrows(
                    IllegalStateException.class,
                    () -> codec.decompress(direct(compressed), tooLong));
            ByteBuffer room = ByteBuffer.allocateDirect(page.length);
            compressed[0] ^= 0x55; // the magic number, or the first token
            compressed[compressed.length / 2] ^= 0x55;
            ByteBuffer damaged = direct(Arrays.copyOf(compressed, compressed.length / 2));
            assertThrows(IllegalStateException.class, () -> codec.decompress(damaged, room));
        }
    }

    @Test
    void concatenatedZstdPagesAreOneContent() throws Exception {
        PageCodec codec = PageCodec.zstd(1);
        var random = new Random(5);
        var coded = new ByteArrayOutputStream();
        var plain = new ByteArrayOutputStream();
        for (int i = 0; i < 40; i++) {
            byte[] page = Contents.of(i, LENGTHS[random.nextInt(LENGTHS.length)], 30);
            plain.write(page);
            if (random.nextBoolean()) {
                coded.write(compressed(codec, page));
            } else {
                coded.write(Objects.requireNonNull(codec.coding()).rawHeader(page.length));
                coded.write(page);
            }
        }
        assertArrayEquals(plain.toByteArray(), Zstd.decompress(coded.toByteArray(), plain.size()));
    }

    @Test
    void onlyCompressiblePagesShrink() {
        for (PageCodec codec : CODECS) {
            assertTrue(compressed(codec, Contents.of(1, 65_536, 30)).length < 30_000);
            assertTrue(compressed(codec, Contents.of(1, 65_536, 100)).length >= 65_536);
        }
        assertThrows(IllegalArgumentException.class, () -> PageCodec.zstd(0));
        assertNull(PageCodec.lz4().coding());
    }
}
