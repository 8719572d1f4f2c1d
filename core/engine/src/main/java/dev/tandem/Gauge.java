package dev.tandem;

import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;

/// A number that a part of the site publishes: of a cache, or of a connection pool. It is shown by
/// `/metrics` as `tandem_SECTION_NAME`, by `/explain`, and by the console in a table for its
/// section.
///
/// @param section the part, such as `page_cache`; letters a to z, digits and `_`
/// @param name the number, such as `bytes` or `hits_total`; the same letters. One that ends with
///     `_total` only grows
/// @param help a sentence that describes it
/// @param value is called on the management's own loop, a few times a second at most: it must not
///     block. If it throws, the gauge is left out
public record Gauge(String section, String name, String help, DoubleSupplier value) {
    /// Maximum number for a server: 256. Each is a line in every scrape.
    public static final int MOST = 256;

    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_]{0,63}");

    /// @throws IllegalArgumentException if a word has other characters, or the help a line break
    public Gauge {
        if (!WORD.matcher(section).matches() || !WORD.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a gauge's section and name have a-z, 0-9 and _ only, were '"
                            + section
                            + "' and '"
                            + name
                            + "'");
        }
        if (help.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the help of gauge " + name + " is no line");
        }
    }

    /// Returns the name of its metric.
    public String metric() {
        return "tandem_" + section + "_" + name;
    }

    public String type() {
        return name.endsWith("_total") ? "counter" : "gauge";
    }
}
