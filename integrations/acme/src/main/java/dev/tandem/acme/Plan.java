package dev.tandem.acme;

import java.time.Duration;
import java.time.Instant;

/// When something may happen, and when that was decided. A clock that is set back shows by that:
/// what it planned while it was ahead would be late by as much as it was set.
///
/// @param made when it was decided
/// @param at when it may happen
record Plan(Instant made, Instant at) {
    static final Plan AT_ONCE = new Plan(Instant.MIN, Instant.MIN);

    /// Returns this plan, or one with the same delay from now if the clock was set back since. So
    /// what an authority wishes is kept.
    Plan asOf(Instant now) {
        return now.isBefore(made) ? new Plan(now, now.plus(Duration.between(made, at))) : this;
    }

    boolean isReached(Instant now) {
        return !at.isAfter(now);
    }
}
