package dev.tandem.admission;

import java.util.HashMap;
import java.util.Map;

/// How many of a limited number of things, such as connections to an upstream or event streams,
/// each client has in use, and how many it may have: fewer than seven times as many as are free. So
/// one client alone has 7/8 of all, two that want all have 7/15 each, and a client that has none
/// always finds a free one, unless some 35 others each have as many as they may. These are the
/// *dynamic thresholds* of switches with shared buffers (A. Choudhury and E. Hahne, 1998). Not
/// thread safe: guarded by the lock of its owner.
public final class ClientShares {
    /// 7: of 256, one client leaves 32 to others. Up to 7, one client may have them all.
    static final int PER_FREE = 7;

    private final Map<Long, Integer> inUse = new HashMap<>();

    /// Returns whether a client may have one more.
    ///
    /// @param client see [ClientNetwork]
    /// @param free number that no client has in use
    public boolean hasRoom(long client, int free) {
        return free > 0 && inUse.getOrDefault(client, 0) < (long) PER_FREE * free;
    }

    /// Counts one more of a client.
    public void add(long client) {
        inUse.merge(client, 1, Integer::sum);
    }

    /// Counts one fewer of a client.
    public void remove(long client) {
        inUse.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    }

    /// Returns how many clients have some.
    public int clients() {
        return inUse.size();
    }
}
