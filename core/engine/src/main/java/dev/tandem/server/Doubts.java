package dev.tandem.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;

/// Addresses from which it was claimed, falsely, to resume a TLS session. One false claim means
/// little: ticket keys change, servers restart. After a few, an address is not believed for a
/// while. Of an IPv6 address the network counts (64 bits), since its holder has all of that.
///
/// Not safe for use by several threads.
final class Doubts {
    /// How many false claims it takes; 3.
    static final int FALSE_MAX = 3;

    /// How long an address is not believed, and how long a false claim counts: a minute.
    static final long NANOS = 60_000_000_000L;

    /// How many addresses are known at most, the oldest forgotten first; some 100 bytes each.
    static final int ADDRESSES_MAX = 4096;

    private static final int NETWORK_BYTES = 8;

    /// The one whose last false claim is the oldest comes first.
    private final LinkedHashMap<String, Doubt> addresses = new LinkedHashMap<>();

    private record Doubt(int count, long since) {}

    /// Whether claims from there are not believed.
    boolean has(InetAddress from, long now) {
        if (addresses.isEmpty()) {
            return false;
        }
        Doubt doubt = addresses.get(key(from));
        return doubt != null && doubt.count >= FALSE_MAX && now - doubt.since < NANOS;
    }

    void claimed(InetAddress from, boolean isTrue, long now) {
        if (isTrue && addresses.isEmpty()) {
            return;
        }
        String key = key(from);
        Doubt before = addresses.remove(key);
        if (isTrue) {
            return; // whoever resumes has been here, and is no storm
        }
        boolean isFresh = before == null || now - before.since >= NANOS;
        addresses.put(key, new Doubt(isFresh ? 1 : before.count + 1, now));
        if (addresses.size() > ADDRESSES_MAX) {
            addresses.pollFirstEntry();
        }
    }

    /// How many addresses are not believed.
    int count(long now) {
        int count = 0;
        for (Doubt doubt : addresses.values()) {
            count += doubt.count >= FALSE_MAX && now - doubt.since < NANOS ? 1 : 0;
        }
        return count;
    }

    private static String key(InetAddress from) {
        byte[] bytes = from.getAddress();
        boolean isLong = from instanceof Inet6Address;
        return HexFormat.of().formatHex(isLong ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
