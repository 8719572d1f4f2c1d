package dev.tandem.net;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A direct buffer with its address, which is determined once. Confined to one thread at a time.
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

    /// Returns the bytes; the caller sets position and limit.
    public ByteBuffer bytes() {
        return bytes;
    }

    /// Returns the address of the first byte, for native calls.
    public long address() {
        return address;
    }
}
