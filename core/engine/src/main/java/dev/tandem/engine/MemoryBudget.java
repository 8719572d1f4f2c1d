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

    /// How much output one client may leave while far too much is held, a quarter of the heap:
    /// 16 KiB, what is left of a page of some 50 KB when the kernel has taken the rest.
    private static final int UNTAKEN_MAX = 16_384;

    /// How much while three eighths of it are held: 4 KiB. Beyond half of it, nothing.
    private static final int UNTAKEN_SCARCE_MAX = 4_096;

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

    /// Whether a connection may keep so much output that its client does not take. Else clients
    /// that read nothing could fill the heap by pages that handlers have made: some by long ones,
    /// thousands by what is left of short ones.
    ///
    /// | all connections hold       | a connection may keep |
    /// |----------------------------|-----------------------|
    /// | up to four times the budget | as much as it likes  |
    /// | up to six times            | less than 16 KiB      |
    /// | up to eight times          | less than 4 KiB       |
    /// | more, half of the heap     | nothing               |
    ///
    /// @param untaken in bytes
    public boolean mayWait(long untaken) {
        if (!isExceeded(4) || untaken == 0) {
            return true;
        }
        if (isExceeded(6)) {
            return untaken < UNTAKEN_SCARCE_MAX && !isExceeded(8);
        }
        return untaken < UNTAKEN_MAX;
    }

    /// @param count in bytes; negative for what is no longer held
    public void add(long count) {
        bytes.add(count);
    }

    public long bytes() {
        return bytes.sum();
    }
}
