package dev.tandem.acme;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When a certificate is due. Has no clock and no luck of its own.
final class Renewal {
    /// The delay after the first failure. With [#GROWTH] there are [#ATTEMPTS] in the first hour.
    static final Duration DELAY_MIN = Duration.ofMinutes(1);

    /// 6 hours: an authority that is back is found the same day.
    static final Duration DELAY_MAX = Duration.ofHours(6);

    private static final int GROWTH = 4;

    /// 4: the attempts of a name's first hour, after 0, 1, 5 and 21 minutes. The next is after 85.
    private static final int ATTEMPTS = 4;

    /// An hour: how long an authority that limits orders gets none, unless it allows them sooner.
    /// Not longer, since many limits are of one name, and the others are due.
    static final Duration PAUSE_MAX = Duration.ofHours(1);

    /// How often the authority is asked when it wants a renewal (ARI, RFC 9773, section 4.3.2: six
    /// hours is usual).
    static final Duration CHECK_MAX = Duration.ofHours(6);

    /// 1/24 of the lifetime, where that is less: certificates that live for a day are asked about
    /// every hour.
    private static final int CHECKS_PER_LIFE = 24;

    /// A week: how much of an authority's wish for a later attempt counts.
    private static final Duration WISH_MAX = Duration.ofDays(7);

    private Renewal() {}

    /// Returns when a certificate must be renewed if the authority does not say: when a third of
    /// its lifetime is left.
    static Instant due(Instant begin, Instant expiry) {
        return expiry.minus(Duration.between(begin, expiry).dividedBy(3));
    }

    /// Returns when a certificate must be renewed whatever the authority says, such as a time after
    /// its expiry: when a sixth of its lifetime is left, half of what [#due] leaves.
    static Instant latest(Instant begin, Instant expiry) {
        return expiry.minus(Duration.between(begin, expiry).dividedBy(6));
    }

    /// Returns when the authority is asked next about a certificate.
    static Instant check(Instant now, Instant begin, Instant expiry) {
        Duration part = Duration.between(begin, expiry).dividedBy(CHECKS_PER_LIFE);
        return now.plus(part.compareTo(CHECK_MAX) < 0 ? part : CHECK_MAX);
    }

    /// Returns when an order is tried again.
    ///
    /// @param failures in a row; at least 1
    /// @param retryAfter when the authority allows it again, or null; at most a week later counts
    static Instant retry(Instant now, int failures, @Nullable Instant retryAfter) {
        Duration delay = DELAY_MIN;
        for (int i = 1; i < failures && delay.compareTo(DELAY_MAX) < 0; i++) {
            delay = delay.multipliedBy(GROWTH);
        }
        Instant own = now.plus(delay.compareTo(DELAY_MAX) < 0 ? delay : DELAY_MAX);
        Instant latest = now.plus(WISH_MAX);
        Instant asked =
                Optional.ofNullable(retryAfter)
                        .map(at -> at.isAfter(latest) ? latest : at)
                        .orElse(own);
        return asked.isAfter(own) ? asked : own;
    }

    /// Returns how a name is proved for which both proofs will do. Let's Encrypt allows five failed
    /// proofs of a name in an hour, and with a sixth no other name gets a certificate for a while.
    /// So the first attempt has both, the others of its hour have one in turn, and later ones have
    /// both.
    ///
    /// @param failed attempts in a row whose proofs failed
    static AcmeSettings.Proof proof(int failed) {
        if (failed == 0 || failed >= ATTEMPTS) {
            return AcmeSettings.Proof.ANY;
        }
        return failed % 2 == 0 ? AcmeSettings.Proof.HTTP_01 : AcmeSettings.Proof.TLS_ALPN_01;
    }

    /// Returns until when an authority that limits orders gets none.
    ///
    /// @param retryAfter when it allows the next one
    static Instant pauseEnd(Instant now, Instant retryAfter) {
        Instant latest = now.plus(PAUSE_MAX);
        Instant allowed = retry(now, 1, retryAfter);
        return allowed.isBefore(latest) ? allowed : latest;
    }
}
