package dev.tandem.pagecache;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/// LZ4's block format, without state between pages.
final class Lz4Codec implements PageCodec {
    private final LZ4Compressor compressor;
    private final LZ4SafeDecompressor decompressor;

    Lz4Codec() {
        LZ4Factory factory = LZ4Factory.fastestInstance();
        compressor = factory.fastCompressor();
        decompressor = factory.safeDecompressor();
    }

    @Override
    public String name() {
        return "lz4";
    }

    @Override
    public @Nullable ContentCoding coding() {
        return null;
    }

    @Override
    public int compress(ByteBuffer page, ByteBuffer compressed) {
        return compressor.compress(
                page,
                page.position(),
                page.remaining(),
                compressed,
                compressed.position(),
                compressed.remaining());
    }

    @Override
    public void decompress(ByteBuffer compressed, ByteBuffer page) {
        int length;
        try {
            length =
                    decompressor.decompress(
                            compressed,
                            compressed.position(),
                            compressed.remaining(),
                            page,
                            page.position(),
                            page.remaining());
        } catch (LZ4Exception e) {
            throw new IllegalStateException("a page is corrupt", e);
        }
        if (length != page.remaining()) {
            throw new IllegalStateException(
                    "a page of " + page.remaining() + " bytes decompressed to " + length);
        }
    }

    @Override
    public int compressedMax(int length) {
        return compressor.maxCompressedLength(length);
    }
}
