package dev.tandem.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/// Whether a thread that is idle may sleep. One thread sleeps; any may call it, and no call is
/// lost.
///
/// A caller stores before its second read in an order that all threads see alike (both are
/// volatile), as the idle thread stores before it reads: at least one of the two sees the other's
/// (Dekker).
final class IdleSleep {
    private final AtomicBoolean isCalled = new AtomicBoolean();
    private volatile boolean isResting;

    /// There is work. Costs two reads of memory that hardly ever changes: where the flag is set
    /// already, no store is needed, since the thread that clears it looks for work before it
    /// sleeps.
    ///
    /// @return whether the thread may be asleep: then the caller must wake it
    boolean call() {
        if (!isCalled.get()) {
            isCalled.set(true);
        }
        if (isResting) {
            isResting = false;
            return true;
        }
        return false;
    }

    /// Whether it was called since the last call of this method.
    boolean wasCalled() {
        return isCalled.getAndSet(false);
    }

    /// The thread is about to sleep.
    void begin() {
        isResting = true;
    }

    /// Whether it may sleep, or continue to.
    boolean lasts() {
        return isResting && !isCalled.get();
    }

    void end() {
        isResting = false;
    }
}
