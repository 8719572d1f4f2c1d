package dev.tandem.tls.boringssl;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Direct buffers for input and output in the heap, which the library cannot address: some records
/// of handshakes, and alerts. Never more than threads use at a time.
final class ScratchBuffers {
    /// The longest record: header, 16 KiB, and 256 bytes (RFC 8446, section 5.2); in TLS 1.2 up to
    /// 2 KiB (RFC 5246, section 6.2.3).
    static final int SIZE = 5 + 16_384 + 2048;

    private static final ConcurrentLinkedDeque<ByteBuffer> FREE = new ConcurrentLinkedDeque<>();

    private ScratchBuffers() {}

    /// Returns an empty buffer of [#SIZE] bytes, to be given back.
    static ByteBuffer take() {
        ByteBuffer free = FREE.pollFirst();
        return free == null ? ByteBuffer.allocateDirect(SIZE) : free.clear();
    }

    static void giveBack(ByteBuffer buffer) {
        FREE.addFirst(buffer);
    }
}
