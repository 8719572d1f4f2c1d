package dev.tandem.acme;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// When an authority that limits or is unavailable wants the next order: the field `Retry-After`
/// (RFC 9110, section 10.2.3) of a 429, or of a 503, of which six hours count at most. acme4j drops
/// it with most of them. Thread safe.
final class RetryWish {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private static final Pattern SECONDS = Pattern.compile("[0-9]+");

    /// Nine digits, some 30 years: more are as many.
    private static final int DIGITS_MAX = 9;

    private static final long SECONDS_MAX = 999_999_999;

    private volatile @Nullable Instant at;

    /// Returns when the next order is wanted, by the responses since [#clear()]; null if they do
    /// not say.
    @Nullable Instant at() {
        return at;
    }

    void clear() {
        at = null;
    }

    void see(int status, HttpHeaders headers) {
        Instant now = Instant.now();
        if (status == TOO_MANY_REQUESTS) {
            at = retryAfter(headers, now).orElse(now.plus(Renewal.PAUSE_MAX));
        } else if (status == SERVICE_UNAVAILABLE) {
            Instant latest = now.plus(Renewal.DELAY_MAX);
            at =
                    retryAfter(headers, now)
                            .map(wanted -> wanted.isAfter(latest) ? latest : wanted)
                            .orElse(null);
        }
    }

    /// Returns empty for one that has no meaning, too.
    private static Optional<Instant> retryAfter(HttpHeaders headers, Instant now) {
        return headers.firstValue("Retry-After").map(String::strip).flatMap(x -> parse(x, now));
    }

    private static Optional<Instant> parse(String text, Instant now) {
        if (SECONDS.matcher(text).matches()) {
            long seconds = text.length() > DIGITS_MAX ? SECONDS_MAX : Long.parseLong(text);
            return Optional.of(now.plusSeconds(seconds));
        }
        try {
            var date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(date.toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
