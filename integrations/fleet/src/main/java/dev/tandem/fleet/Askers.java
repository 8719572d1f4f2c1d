package dev.tandem.fleet;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/// The balancers that asked lately: by address and by the name that they send. Confined to the
/// fleet's thread.
final class Askers {
    /// 10 s, five times HAProxy's usual interval: one that asked before that has gone.
    private static final long RECENT_NANOS = 10_000_000_000L;

    /// 256: more are no balancers, and are not counted.
    private static final int MOST = 256;

    private final Map<Asker, Asked> askers = new LinkedHashMap<>();

    private record Asker(InetAddress address, String name) {}

    /// @param isWarned whether its last reply was that the instance drains
    private record Asked(long at, boolean isWarned) {}

    void asked(InetAddress address, String name, boolean isWarned, long now) {
        forget(now);
        var asker = new Asker(address, name);
        if (askers.containsKey(asker) || askers.size() < MOST) {
            askers.put(asker, new Asked(now, isWarned));
        }
    }

    private void forget(long now) {
        askers.values().removeIf(asked -> now - asked.at > RECENT_NANOS);
    }

    /// Returns the number of balancers, at least 1.
    int count(long now) {
        forget(now);
        return Math.max(1, askers.size());
    }

    /// Returns whether there are some, and each knows that the instance drains.
    boolean areAllWarned(long now) {
        forget(now);
        return !askers.isEmpty() && askers.values().stream().allMatch(Asked::isWarned);
    }
}
