package dev.tandem.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/// Whether a thread that rests while there is no work may sleep. One thread rests; any may call
/// it, and no call is lost.
///
/// A caller's store is before its second read in an order that all threads see alike (both are
/// volatile), as the resting thread stores before it reads: at least one of the two sees the
/// other's (Dekker).
final class IdleSleep {
    private final AtomicBoolean isCalled = new AtomicBoolean();
    private volatile boolean isResting;

    /// There is work. Costs two reads of memory that hardly ever changes: where the flag is up
    /// already, no store is needed, since whoever lowers it looks for work before it rests.
    ///
    /// @return whether the thread may be asleep: then the caller is to wake it
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

    /// Whether it was called since this was asked last.
    boolean wasCalled() {
        return isCalled.getAndSet(false);
    }

    /// The thread wants to rest.
    void begin() {
        isResting = true;
    }

    /// Whether it may sleep, or go on sleeping.
    boolean lasts() {
        return isResting && !isCalled.get();
    }

    void end() {
        isResting = false;
    }
}
