package dev.tandem.pagecache;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/// Zstandard with one frame for each page (RFC 8878, section 3.1: concatenated frames are valid
/// content).
final class ZstdCodec implements PageCodec {
    private static final int LEVEL_MAX = 19;

    /// Maximum number of pooled contexts: each takes some hundred KiB outside of the heap.
    /// Additional threads create and free their own.
    private static final int KEPT_MAX = 2 * Runtime.getRuntime().availableProcessors();

    private final ArrayBlockingQueue<ZstdCompressCtx> compressors =
            new ArrayBlockingQueue<>(KEPT_MAX);
    private final ArrayBlockingQueue<ZstdDecompressCtx> decompressors =
            new ArrayBlockingQueue<>(KEPT_MAX);
    private final int level;

    ZstdCodec(int level) {
        if (level < 1 || level > LEVEL_MAX) {
            throw new IllegalArgumentException("level must be 1.." + LEVEL_MAX + ", was " + level);
        }
        this.level = level;
    }

    int level() {
        return level;
    }

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public ContentCoding coding() {
        return ZstdCoding.INSTANCE;
    }

    @Override
    public int compress(ByteBuffer page, ByteBuffer compressed) {
        ZstdCompressCtx context = compressors.poll();
        if (context == null) {
            context = new ZstdCompressCtx().setLevel(level);
        }
        try {
            return context.compressDirectByteBuffer(
                    compressed,
                    compressed.position(),
                    compressed.remaining(),
                    page,
                    page.position(),
                    page.remaining());
        } finally {
            if (!compressors.offer(context)) {
                context.close();
            }
        }
    }

    @Override
    public void decompress(ByteBuffer compressed, ByteBuffer page) {
        ZstdDecompressCtx context = decompressors.poll();
        if (context == null) {
            context = new ZstdDecompressCtx();
        }
        int length;
        try {
            length =
                    context.decompressDirectByteBuffer(
                            page,
                            page.position(),
                            page.remaining(),
                            compressed,
                            compressed.position(),
                            compressed.remaining());
        } catch (ZstdException e) {
            throw new IllegalStateException("a page is corrupt", e);
        } finally {
            if (!decompressors.offer(context)) {
                context.close();
            }
        }
        if (length != page.remaining()) {
            throw new IllegalStateException(
                    "a page of " + page.remaining() + " bytes decompressed to " + length);
        }
    }

    @Override
    public int compressedMax(int length) {
        return Math.toIntExact(Zstd.compressBound(length));
    }
}
