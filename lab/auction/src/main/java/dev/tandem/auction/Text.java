package dev.tandem.auction;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Formats values for users.
public final class Text {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private Text() {}

    /// @param cents 0 or more
    public static String money(long cents) {
        long rest = cents % 100;
        return cents / 100 + (rest < 10 ? ".0" : ".") + rest;
    }

    /// Returns how long it is until a moment, in the two largest units.
    ///
    /// @param to not before `from`
    public static String left(Instant from, Instant to) {
        Duration left = Duration.between(from, to);
        if (left.toDays() > 0) {
            return left.toDays() + " d " + left.toHoursPart() + " h";
        }
        return left.toHours() > 0
                ? left.toHours() + " h " + left.toMinutesPart() + " min"
                : left.toMinutes() + " min " + left.toSecondsPart() + " s";
    }

    /// In UTC.
    public static String time(Instant at) {
        return MINUTE.format(at);
    }
}
