package dev.tandem.cgi.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/// A little native memory for one thread's calls; what it holds is lost with the next use.
///
/// @param errno where a call leaves its error number; on Linux the captured state is that alone
/// @param polled three of `struct pollfd`
/// @param bytes what is read or written
record Scratch(MemorySegment errno, MemorySegment polled, MemorySegment bytes) {
    /// As much as is moved by one call, in bytes.
    static final int BYTES = 16 << 10;

    /// A descriptor and two sets of events.
    static final long POLLED_BYTES = 8;

    private static final ThreadLocal<Scratch> CURRENT = ThreadLocal.withInitial(Scratch::make);

    /// The calling thread's.
    static Scratch get() {
        return CURRENT.get();
    }

    private static Scratch make() {
        Arena arena = Arena.ofAuto();
        return new Scratch(
                arena.allocate(Linker.Option.captureStateLayout()),
                arena.allocate(Pipes.COUNT * POLLED_BYTES, Integer.BYTES),
                arena.allocate(BYTES));
    }
}
