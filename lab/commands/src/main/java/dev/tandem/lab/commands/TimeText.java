package dev.tandem.lab.commands;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Times as people type them: `500ms`, `15s`, `2m`.
final class TimeText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m)");

    private TimeText() {}

    /// @return null if the text is not a time
    static @Nullable Duration parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        long count = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            default -> Duration.ofMinutes(count);
        };
    }
}
