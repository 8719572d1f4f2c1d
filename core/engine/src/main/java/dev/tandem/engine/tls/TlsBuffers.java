package dev.tandem.engine.tls;

import dev.tandem.engine.ContextKey;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.VirtualWorkers;
import dev.tandem.net.IoBuffer;
import dev.tandem.tls.TlsSession;
import org.jspecify.annotations.Nullable;

/// A thread's buffers for encrypted data. They hold data only within a call, so connections own
/// none.
final class TlsBuffers {
    /// 64 KiB: the amount that a loop, or a worker from a file, reads at once.
    static final int INPUT_SIZE = 65_536;

    /// Four records: the amount that a loop gathers at once, encrypted.
    static final int OUTPUT_SIZE = 4 * TlsSession.BUFFER_MIN;

    private static final ThreadLocal<@Nullable TlsBuffers> THREADS = new ThreadLocal<>();

    /// A virtual thread lives for one run, so its buffers stay with the run's context.
    private static final ContextKey<TlsBuffers> KEY = ContextKey.of(TlsBuffers.class);

    private final IoBuffer output = new IoBuffer(OUTPUT_SIZE);

    /// Most workers only send, and need none.
    private @Nullable IoBuffer input;

    private TlsBuffers() {}

    /// Returns the calling thread's.
    static TlsBuffers here() {
        IoContext context = VirtualWorkers.current();
        TlsBuffers known = context == null ? THREADS.get() : context.get(KEY);
        if (known == null) {
            known = new TlsBuffers();
            if (context == null) {
                THREADS.set(known);
            } else {
                context.put(KEY, known);
            }
        }
        return known;
    }

    /// Returns the buffer for input from the network, and for files that are read to be encrypted.
    IoBuffer input() {
        IoBuffer made = input;
        if (made == null) {
            made = new IoBuffer(INPUT_SIZE);
            input = made;
        }
        return made;
    }

    /// Returns the buffer for output to the network.
    IoBuffer output() {
        return output;
    }
}
