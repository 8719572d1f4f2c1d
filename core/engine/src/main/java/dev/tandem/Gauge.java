package dev.tandem;

import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;

/// A number that a part of the site wants to be seen: of a cache, of a pool of connections. It is
/// shown by `/metrics` as `tandem_SECTION_NAME`, by `/explain`, and by the console in the section's
/// own table.
///
/// @param section the part, such as `page_cache`; letters a to z, digits and `_`
/// @param name what of it, such as `bytes` or `hits_total`; the same letters. One that ends with
///     `_total` only grows
/// @param help what it is, in a sentence
/// @param value is asked on the management's own loop, a few times a second at most: it must not
///     block. One that throws is left out
public record Gauge(String section, String name, String help, DoubleSupplier value) {
    /// 256 for a server: each is a line for whoever scrapes them.
    public static final int MOST = 256;

    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_]{0,63}");

    /// @throws IllegalArgumentException if a word has other characters, or the help a line's end
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

    /// As metrics have it.
    public String metric() {
        return "tandem_" + section + "_" + name;
    }

    public String type() {
        return name.endsWith("_total") ? "counter" : "gauge";
    }
}
