package dev.tandem.admission;

import java.net.InetAddress;
import java.util.LinkedHashMap;

/// Addresses of clients that falsely claimed to resume a TLS session. One false claim means little:
/// ticket keys change, servers restart. After a few, claims from the address are not believed for a
/// while. Addresses of one [ClientNetwork] count as one. Guarded by the lock of
/// [HandshakeAdmission].
final class ResumptionOffenders {
    /// Number of false claims from which an address is not believed.
    static final int FALSE_MAX = Tuning.count("ResumptionOffenders.FALSE_MAX", 3);

    /// A minute: how long an address is not believed, and how long a false claim counts.
    static final long NANOS = Tuning.nanos("ResumptionOffenders.NANOS", 60_000_000_000L);

    /// Largest number of addresses, some 100 bytes each; the oldest is removed first.
    static final int ADDRESSES_MAX = Tuning.count("ResumptionOffenders.ADDRESSES_MAX", 4096);

    /// In the order of their last false claim.
    private final LinkedHashMap<Long, Offender> addresses = new LinkedHashMap<>();

    private record Offender(int count, long since) {}

    /// Returns whether claims from an address are not believed.
    boolean has(InetAddress from, long now) {
        if (addresses.isEmpty()) {
            return false;
        }
        Offender offender = addresses.get(ClientNetwork.of(from));
        return offender != null && offender.count >= FALSE_MAX && now - offender.since < NANOS;
    }

    /// Notes a claim.
    void claimed(InetAddress from, boolean isTrue, long now) {
        if (isTrue && addresses.isEmpty()) {
            return;
        }
        long key = ClientNetwork.of(from);
        Offender before = addresses.remove(key);
        if (isTrue) {
            return; // a client that does resume costs little
        }
        boolean isFresh = before == null || now - before.since >= NANOS;
        addresses.put(key, new Offender(isFresh ? 1 : before.count + 1, now));
        if (addresses.size() > ADDRESSES_MAX) {
            addresses.pollFirstEntry();
        }
    }

    /// Returns the number of addresses that are not believed.
    int count(long now) {
        int count = 0;
        for (Offender offender : addresses.values()) {
            count += offender.count >= FALSE_MAX && now - offender.since < NANOS ? 1 : 0;
        }
        return count;
    }
}
