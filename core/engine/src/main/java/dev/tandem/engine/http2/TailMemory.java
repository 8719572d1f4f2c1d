package dev.tandem.engine.http2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How much content a connection has read from response tails and not sent: files, mostly, which
/// are read ahead of the client. A client that opens all of its streams for long files and reads
/// none of them would otherwise hold 64 KiB for each. Safe for use by any thread.
final class TailMemory {
    /// 768 KiB: twelve streams with full buffers, three times what is sent in an iteration of the
    /// loop; 1,024 such connections hold 768 MiB. Further streams wait until half of it is sent,
    /// the most urgent first.
    static final int MOST = 786_432;

    private static final VarHandle RESERVED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RESERVED = lookup.findVarHandle(TailMemory.class, "reserved", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int reserved;

    /// Reserves memory before content is read. One stream always gets what it wants.
    ///
    /// @param count in bytes
    /// @return false if there is too little; then nothing is reserved
    boolean reserve(int count) {
        int before = (int) RESERVED.getAndAdd(this, count);
        if (before > 0 && before + count > MOST) {
            release(count);
            return false;
        }
        return true;
    }

    /// Releases what was sent, or will not be read.
    void release(long count) {
        RESERVED.getAndAdd(this, (int) -count);
    }

    /// Returns what is reserved, in bytes.
    int reserved() {
        return reserved;
    }
}
