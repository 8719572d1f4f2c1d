package dev.tandem.net;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A direct buffer whose address is looked up once. Confined to one thread at a time.
public final class IoBuffer {
    private final ByteBuffer bytes;
    private final long address;

    /// @param size in bytes
    public IoBuffer(int size) {
        this(ByteBuffer.allocateDirect(size));
    }

    private IoBuffer(ByteBuffer direct) {
        this.bytes = direct;
        this.address = MemorySegment.ofBuffer(direct.duplicate().clear()).address();
    }

    /// The bytes; position and limit are the caller's to set.
    public ByteBuffer bytes() {
        return bytes;
    }

    /// The address of the buffer's first byte, for native calls.
    public long address() {
        return address;
    }
}
