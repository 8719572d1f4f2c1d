package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Whether the server accepts connections. It pauses accepting while every worker is busy and the
/// queues stand, so that live sessions finish first and new clients wait in the kernel's backlog.
///
/// It cannot be locked: whatever the load is, accepting resumes after a tenth of a second, for as
/// long at least. New clients then get a response, and live sessions that come by a new connection
/// are known by what they bring. Guarded by the admission's lock.
final class AcceptGate {
    /// 100 ms, a small part of what a user waits for: the longest pause, and the shortest time
    /// between two.
    static final long SHUT_MAX =
            Tuning.nanos("AcceptGate.SHUT_MAX", TimeUnit.MILLISECONDS.toNanos(100));

    private boolean isShut;
    private long since = -SHUT_MAX;
    private long shutNanos;
    private long shuts;

    boolean isOpen(boolean isCrowded, long now) {
        long time = now - since;
        if (isShut && (!isCrowded || time >= SHUT_MAX)) {
            shutNanos += time;
            isShut = false;
            since = now;
        } else if (!isShut && isCrowded && time >= SHUT_MAX) {
            isShut = true;
            since = now;
            shuts++;
        }
        return !isShut;
    }

    boolean isShut() {
        return isShut;
    }

    long shuts() {
        return shuts;
    }

    /// Returns how long it was shut, without the present time.
    long shutNanos() {
        return shutNanos;
    }
}
