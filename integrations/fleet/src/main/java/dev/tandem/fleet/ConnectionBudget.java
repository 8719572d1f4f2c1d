package dev.tandem.fleet;

import dev.tandem.http.Bounds;
import java.time.Duration;

/// How many of a database's connections one of several instances may have, so that all together
/// never have more than the fleet's: pure, with time as an argument. One thread.
///
/// Each instance counts the live ones. A smaller share takes effect at once; a larger one only
/// after it was seen for the time that all others may need to see the same (`settle`). An instance
/// that has just started has one connection for that time. A tenth of the connections, at least
/// one, is never shared out: those that start take their first connections of it.
///
/// Where the instances cannot be counted, the last number is kept; before there was one, the share
/// is one connection.
final class ConnectionBudget {
    private final int connections;
    private final long settleNanos;
    private int share = 1;
    private int wanted = 1;
    private long wantedSince;
    private boolean isStarted;

    /// @param connections of all instances together, at least 2
    /// @param settle how long it takes until each instance has counted the same, and has returned
    ///     what it has too many; 1 s to an hour
    /// @throws IllegalArgumentException if one is out of range
    ConnectionBudget(int connections, Duration settle) {
        Bounds.check(
                "connections",
                connections,
                DatabaseBudget.CONNECTIONS_MIN,
                DatabaseBudget.CONNECTIONS_MAX);
        Bounds.check("settle", settle, Duration.ofSeconds(1), Duration.ofHours(1));
        this.connections = connections;
        this.settleNanos = settle.toNanos();
    }

    /// Notes the number of live instances.
    ///
    /// @param instances this one included; 0 or less if they could not be counted
    /// @return how many connections this instance may have, at least 1
    int counted(int instances, long now) {
        if (instances <= 0) {
            return share;
        }
        int next = Math.max(1, (connections - spare()) / instances);
        if (!isStarted || next != wanted) {
            // A larger share that shrinks before it took effect has been seen by none.
            boolean isShrinking = isStarted && next > share && next < wanted;
            wanted = next;
            wantedSince = isShrinking ? wantedSince : now;
            isStarted = true;
        }
        if (wanted < share || now - wantedSince >= settleNanos) {
            share = wanted;
        }
        return share;
    }

    /// Returns how many instances may start at once without exceeding the fleet's connections.
    int spare() {
        return Math.max(1, connections / 10);
    }
}
