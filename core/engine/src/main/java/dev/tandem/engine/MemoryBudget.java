package dev.tandem.engine;

import java.util.concurrent.atomic.LongAdder;

/// Memory that clients can make the server hold: a sixteenth of the heap, so that many of them
/// cannot fill it. Nothing is reserved: a holder checks for room first, and counts what it then
/// holds, so that the bound is exceeded by at most what the threads hold that have just checked.
/// Safe for use by any thread.
///
/// An engine has two: [Engine#inputMemory()] and [Engine#outputMemory()].
public final class MemoryBudget {
    /// How much one holder may keep of what is incomplete while far too much is held: 4 KiB, more
    /// than the heads and the messages of handshakes of most clients.
    private static final int SCARCE_MAX = 4096;

    /// How much output one client may leave while far too much is held: 16 KiB, what is left of a
    /// page of some 50 KB when the kernel has taken the rest.
    private static final int UNTAKEN_MAX = 16_384;

    private final LongAdder bytes = new LongAdder();
    private final long most;

    /// @param most in bytes; may be exceeded as said above
    public MemoryBudget(long most) {
        this.most = most;
    }

    static MemoryBudget ofHeap() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / 16);
    }

    public boolean hasRoom() {
        return bytes.sum() < most;
    }

    /// Whether twice as much is held as should be: what cannot be received in smaller parts is not
    /// received then.
    public boolean isFarExceeded() {
        return isExceeded(2);
    }

    /// Whether so many times as much is held as should be.
    public boolean isExceeded(int times) {
        return bytes.sum() / times >= most;
    }

    /// Whether one holder may keep so much of an incomplete record, handshake or head: as much as
    /// it likes, unless twice as much is held as should be.
    public boolean mayKeep(int incomplete) {
        return incomplete <= SCARCE_MAX || !isFarExceeded();
    }

    /// Whether a connection may keep so much output that its client does not take: as much as it
    /// likes, unless four times as much is held as should be, a quarter of the heap. Else clients
    /// that read nothing could have it filled by pages that handlers have made.
    ///
    /// @param untaken in bytes
    public boolean mayWait(long untaken) {
        return untaken < UNTAKEN_MAX || !isExceeded(4);
    }

    /// @param count in bytes; negative for what is no longer held
    public void add(long count) {
        bytes.add(count);
    }

    public long bytes() {
        return bytes.sum();
    }
}
