package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Whether the server accepts connections. It shuts while every worker is busy and the queues
/// are at their target, so that those inside finish first and newcomers wait in the kernel's
/// backlog.
///
/// It cannot be locked shut: whatever the load says, it opens after a tenth of a second, and
/// stays open for as long. Those who came meanwhile are then told what becomes of them, and
/// live sessions that come by a new connection are known by what they bring. Guarded by the
/// admission's lock.
final class AcceptGate {
    /// 100 ms: a small part of what a visitor may wait for.
    static final long SHUT_MAX =
            Tuning.nanos("AcceptGate.SHUT_MAX", TimeUnit.MILLISECONDS.toNanos(100));

    static final long OPEN_LEAST =
            Tuning.nanos("AcceptGate.OPEN_LEAST", TimeUnit.MILLISECONDS.toNanos(100));

    private boolean isShut;
    private long since = -OPEN_LEAST;
    private long shutNanos;
    private long shuts;

    boolean isOpen(boolean isCrowded, long now) {
        long time = now - since;
        if (isShut && (!isCrowded || time >= SHUT_MAX)) {
            shutNanos += time;
            isShut = false;
            since = now;
        } else if (!isShut && isCrowded && time >= OPEN_LEAST) {
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

    /// Without the present time, if it is shut.
    long shutNanos() {
        return shutNanos;
    }
}
