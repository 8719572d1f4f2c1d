package dev.tandem.fleet;

import java.net.InetAddress;
import java.util.Comparator;
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

    /// @param heard what its last reply said
    private record Asked(long at, Fleet.Phase heard) {}

    void asked(InetAddress address, String name, Fleet.Phase heard, long now) {
        forget(now);
        var asker = new Asker(address, name);
        if (askers.containsKey(asker) || askers.size() < MOST) {
            askers.put(asker, new Asked(now, heard));
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

    boolean areThere(long now) {
        forget(now);
        return !askers.isEmpty();
    }

    /// Returns the earliest phase that one of them heard last; that of starting if there is none.
    Fleet.Phase heardByAll(long now) {
        forget(now);
        return askers.values().stream()
                .map(Asked::heard)
                .min(Comparator.naturalOrder())
                .orElse(Fleet.Phase.STARTING);
    }
}
