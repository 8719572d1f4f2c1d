package dev.tandem.tls;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The ticket keys of one moment. Immutable.
///
/// A key seals tickets for twelve hours, and what it sealed is accepted for another 24. The next
/// key is made ten minutes before it is used, so that all who share a file have it by then.
///
/// @param keys the newest first
record TicketKeys(List<TicketKey> keys) {
    static final Duration ENCRYPT_PERIOD = Duration.ofHours(12);
    static final Duration ACCEPT_PERIOD = Duration.ofHours(24);
    static final Duration ADVANCE_PERIOD = Duration.ofMinutes(10);

    static final TicketKeys NONE = new TicketKeys(List.of());

    TicketKeys {
        keys = keys.stream().sorted(Comparator.comparing(TicketKey::from).reversed()).toList();
    }

    /// Without keys that are too old and with those that are needed; the same if nothing changes.
    /// Should the clock have been set back, keys that are not yet to be used remain.
    TicketKeys rotated(Instant now) {
        var next = new ArrayList<TicketKey>();
        for (TicketKey key : keys) {
            if (key.from().plus(ENCRYPT_PERIOD).plus(ACCEPT_PERIOD).isAfter(now)) {
                next.add(key);
            }
        }
        if (next.stream().noneMatch(key -> !key.from().isAfter(now))) {
            next.add(TicketKey.make(now));
        }
        Instant newest = next.stream().map(TicketKey::from).max(Comparator.naturalOrder()).get();
        Instant following = newest.plus(ENCRYPT_PERIOD);
        if (!following.minus(ADVANCE_PERIOD).isAfter(now)) {
            // After a long stop the newest may be past its time: then its successor starts late.
            Instant soonest = now.plus(ADVANCE_PERIOD);
            next.add(TicketKey.make(following.isAfter(soonest) ? following : soonest));
        }
        var result = new TicketKeys(next);
        return result.equals(this) ? this : result;
    }

    /// For an engine: the one that seals now first, then all others, which are accepted.
    List<TicketKey> inUse(Instant now) {
        var ordered = new ArrayList<TicketKey>();
        for (TicketKey key : keys) {
            boolean seals = ordered.isEmpty() && !key.from().isAfter(now);
            if (seals) {
                ordered.add(key);
            }
        }
        for (TicketKey key : keys) {
            if (!ordered.contains(key)) {
                ordered.add(key);
            }
        }
        return List.copyOf(ordered);
    }
}
