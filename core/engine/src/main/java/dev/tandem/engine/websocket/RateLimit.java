package dev.tandem.engine.websocket;

import java.util.concurrent.TimeUnit;

/// Bounds the rate of events in the mean of ten seconds. Confined to the connection's owner.
final class RateLimit {
    private static final int SECONDS = 10;

    private final double perNano;
    private final double most;
    private double left;
    private long at;

    /// @param perSecond 1 or more
    RateLimit(int perSecond, long now) {
        perNano = perSecond / (double) TimeUnit.SECONDS.toNanos(1);
        most = (double) SECONDS * perSecond;
        left = most;
        at = now;
    }

    /// Counts an event.
    ///
    /// @return whether it is within the rate
    boolean isWithin(long now) {
        left = Math.min(most, left + (now - at) * perNano) - 1;
        at = now;
        return left >= 0;
    }
}
