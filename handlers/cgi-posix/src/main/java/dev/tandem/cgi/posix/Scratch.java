package dev.tandem.cgi.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/// Native memory for one thread's calls; the next call overwrites its content.
///
/// @param errno receives the error number; on Linux the captured state consists of it alone
/// @param exit receives how a process has ended
/// @param polled three of `struct pollfd`
/// @param bytes data to read or write
record Scratch(MemorySegment errno, MemorySegment exit, MemorySegment polled, MemorySegment bytes) {
    /// Maximum size of one read or write, in bytes.
    static final int BYTES = 16 << 10;

    /// A descriptor and two sets of events.
    static final long POLLED_BYTES = 8;

    private static final ThreadLocal<Scratch> CURRENT = ThreadLocal.withInitial(Scratch::make);

    /// Returns the calling thread's memory.
    static Scratch get() {
        return CURRENT.get();
    }

    private static Scratch make() {
        Arena arena = Arena.ofAuto();
        return new Scratch(
                arena.allocate(Linker.Option.captureStateLayout()),
                arena.allocate(Integer.BYTES, Integer.BYTES),
                arena.allocate(Pipes.COUNT * POLLED_BYTES, Integer.BYTES),
                arena.allocate(BYTES));
    }
}
