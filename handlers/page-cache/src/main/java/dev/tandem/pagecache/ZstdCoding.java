package dev.tandem.pagecache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The coding `zstd` (RFC 8878): concatenated frames, which may contain raw blocks.
enum ZstdCoding implements ContentCoding {
    /// The only instance.
    INSTANCE;

    /// The maximum block size (section 3.1.1.2.4).
    private static final int BLOCK_MAX = 128 << 10;

    private static final int MAGIC = 0xFD2FB528;

    /// A content size of four bytes; single segment, so that there is no window descriptor.
    private static final byte DESCRIPTOR = (byte) 0b10_1_00000;

    private static final int RAW_HEADER = 12;

    @Override
    public String token() {
        return "zstd";
    }

    @Override
    public byte[] rawHeader(int length) {
        if (length < 1 || length > BLOCK_MAX) {
            throw new IllegalArgumentException("length must be 1.." + BLOCK_MAX + ": " + length);
        }
        int block = length << 3 | 1; // last block, raw
        return ByteBuffer.allocate(RAW_HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .put(DESCRIPTOR)
                .putInt(length)
                .put((byte) block)
                .put((byte) (block >> 8))
                .put((byte) (block >> 16))
                .array();
    }
}
