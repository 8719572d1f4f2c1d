package dev.tandem.upstream;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// In which order the addresses of a name are tried: those that failed come last, except that one
/// request in a while tries such a one in its usual place. Thread safe.
final class AddressOrder {
    private final long restNanos;

    /// When each that failed did so, or was tried again; only addresses that the name has.
    private final Map<SocketAddress, Long> failed = new HashMap<>();

    /// @param restNanos how long one that failed comes last
    AddressOrder(long restNanos) {
        this.restNanos = restNanos;
    }

    synchronized List<SocketAddress> of(List<SocketAddress> all, long nowNanos) {
        failed.keySet().retainAll(all);
        if (failed.isEmpty()) {
            return all;
        }
        var ordered = new ArrayList<SocketAddress>();
        var last = new ArrayList<SocketAddress>();
        for (SocketAddress address : all) {
            Long since = failed.get(address);
            boolean rests = since != null && nowNanos - since < restNanos;
            (rests ? last : ordered).add(address);
            if (since != null && !rests && ordered.size() == 1) {
                failed.put(address, nowNanos); // others do not wait for it meanwhile
            }
        }
        ordered.addAll(last);
        return ordered;
    }

    synchronized void recordFailure(SocketAddress address, long nowNanos) {
        failed.put(address, nowNanos);
    }

    synchronized void recordSuccess(SocketAddress address) {
        failed.remove(address);
    }
}
