package dev.tandem.logs;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Formats times for log lines. What is the same within a second is formatted once. Confined to a
/// thread.
final class LogTime {
    private static final DateTimeFormatter COMMON =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private final ZoneId zone;
    private long millis;
    private long second = Long.MIN_VALUE;
    private String common = "";
    private String iso = "";

    LogTime(ZoneId zone) {
        this.zone = zone;
    }

    /// @param millis since 1970
    LogTime at(long millis) {
        this.millis = millis;
        long now = Math.floorDiv(millis, 1000);
        if (now != second) {
            second = now;
            var instant = Instant.ofEpochSecond(now);
            common = COMMON.format(instant.atZone(zone));
            iso = instant.toString();
        }
        return this;
    }

    /// Returns the time as in httpd's logs: `22/Nov/2026:03:31:18 +0000`.
    String common() {
        return common;
    }

    /// Returns the time with milliseconds, in UTC: `2026-11-22T03:31:18.042Z`.
    String iso() {
        String fraction = Long.toString(1000 + Math.floorMod(millis, 1000)).substring(1);
        return iso.substring(0, iso.length() - 1) + "." + fraction + "Z";
    }
}
