package dev.tandem.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses and formats times and sizes.
final class Amounts {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) ?([A-Za-z]*)");

    /// Units, the longest first.
    private static final List<Map.Entry<String, Long>> TIMES =
            List.of(
                    Map.entry("d", 86_400_000L),
                    Map.entry("h", 3_600_000L),
                    Map.entry("m", 60_000L),
                    Map.entry("s", 1000L),
                    Map.entry("ms", 1L));

    private static final Map<String, Long> SIZES =
            Map.of("B", 1L, "", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    private Amounts() {}

    /// @throws IllegalArgumentException if it is not a time with its unit
    static Duration duration(String text) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            for (Map.Entry<String, Long> unit : TIMES) {
                if (unit.getKey().equals(form.group(2))) {
                    return Duration.ofMillis(times(form.group(1), unit.getValue()));
                }
            }
        }
        throw new IllegalArgumentException();
    }

    /// Formats a time in the largest unit that gives a whole number; fractions of a millisecond are
    /// dropped.
    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        for (Map.Entry<String, Long> unit : TIMES) {
            if (millis % unit.getValue() == 0) {
                return millis / unit.getValue() + unit.getKey();
            }
        }
        throw new IllegalStateException("every number of milliseconds is one");
    }

    /// @throws IllegalArgumentException if it is not a size
    static long size(String text) {
        Matcher form = FORM.matcher(text);
        Long unit = form.matches() ? SIZES.get(form.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException();
        }
        return times(form.group(1), unit);
    }

    private static long times(String number, long unit) {
        try {
            return Math.multiplyExact(Long.parseLong(number), unit);
        } catch (ArithmeticException _) {
            throw new IllegalArgumentException();
        }
    }
}
