package dev.tandem.server;

import dev.tandem.net.IoBuffer;
import dev.tandem.tls.TlsSession;
import org.jspecify.annotations.Nullable;

/// A thread's buffers for what is, or is to be, enciphered. They hold something only within a call,
/// so connections own none.
final class TlsBuffers {
    /// 64 KiB: what a loop reads at once, and as much of a file.
    static final int INPUT_SIZE = 65_536;

    /// Four records: what a loop gathers at once, enciphered.
    static final int OUTPUT_SIZE = 4 * TlsSession.BUFFER_MIN;

    private static final ThreadLocal<@Nullable TlsBuffers> THREADS = new ThreadLocal<>();

    private final IoBuffer output = new IoBuffer(OUTPUT_SIZE);

    /// Most workers only answer, and need none.
    private @Nullable IoBuffer input;

    private TlsBuffers() {}

    /// The calling thread's.
    static TlsBuffers here() {
        TlsBuffers known = THREADS.get();
        if (known != null) {
            return known;
        }
        var made = new TlsBuffers();
        THREADS.set(made);
        return made;
    }

    /// What the calling thread has used so far, for threads that live for one run; null if it has
    /// used none.
    static @Nullable TlsBuffers used() {
        return THREADS.get();
    }

    /// The calling thread's from now on, which nobody else's are.
    static void take(TlsBuffers others) {
        THREADS.set(others);
    }

    /// For what comes from the network, or is read to be enciphered.
    IoBuffer input() {
        IoBuffer made = input;
        if (made == null) {
            made = new IoBuffer(INPUT_SIZE);
            input = made;
        }
        return made;
    }

    /// For what goes to the network.
    IoBuffer output() {
        return output;
    }
}
