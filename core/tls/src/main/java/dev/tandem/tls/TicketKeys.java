package dev.tandem.tls;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// The ticket keys at a point in time. Immutable.
///
/// A key encrypts tickets for twelve hours, and its tickets are accepted for another 24. The next
/// key is created ten minutes before it is used, so that all servers that share the file have read
/// it by then.
///
/// @param keys the newest first
record TicketKeys(List<TicketKey> keys) {
    static final Duration ENCRYPT_PERIOD = Duration.ofHours(12);
    static final Duration ACCEPT_PERIOD = Duration.ofHours(24);
    static final Duration ADVANCE_PERIOD = Duration.ofMinutes(10);

    /// 16 that have begun and 16 that have not: far more than one server makes while a key is kept.
    private static final int KEPT_MAX = 16;

    static final TicketKeys NONE = new TicketKeys(List.of());

    TicketKeys {
        // Not Comparator.comparing: its serializable lambda is not in the JVM's AOT cache.
        keys = keys.stream().sorted((a, b) -> b.from().compareTo(a.from())).toList();
    }

    /// Returns the keys without expired ones and with those that are due; the same instance if
    /// nothing changes. Keys that are not yet valid remain if the clock was set back.
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
            // After a long downtime the newest key may have expired: its successor then starts
            // late.
            Instant soonest = now.plus(ADVANCE_PERIOD);
            next.add(TicketKey.make(following.isAfter(soonest) ? following : soonest));
        }
        var result = new TicketKeys(next);
        return result.keys.equals(keys) ? this : result; // a record's own would be linked at start
    }

    /// Returns these keys and others; the same instance if it has them all.
    TicketKeys with(TicketKeys others) {
        if (keys.containsAll(others.keys)) {
            return this;
        }
        var all = new LinkedHashSet<>(keys);
        all.addAll(others.keys);
        return new TicketKeys(List.copyOf(all));
    }

    /// Returns the newest keys, of those that are or were used and of the next ones; the same
    /// instance if these are all. Many servers that share a file, and could not write it for a day,
    /// have two each.
    TicketKeys newest(Instant now) {
        var kept = new ArrayList<TicketKey>();
        int next = 0;
        int begun = 0;
        for (TicketKey key : keys) {
            int newer = key.from().isAfter(now) ? next++ : begun++;
            if (newer < KEPT_MAX) {
                kept.add(key);
            }
        }
        return kept.size() == keys.size() ? this : new TicketKeys(kept);
    }

    /// Returns the keys for an engine: first the one that encrypts now, then the others, whose
    /// tickets are accepted.
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
