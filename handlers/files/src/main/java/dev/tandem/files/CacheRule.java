package dev.tandem.files;

import dev.tandem.http.FieldSyntax;

/// The value of `Cache-Control` for some of a folder's files (RFC 9111, section 5.2). Immutable.
///
/// @param files matching files, as a [Glob]: `*.html`, `assets/**`
/// @param value the header's value: `no-cache`, `public, max-age=31536000, immutable`; empty for no
///     header
public record CacheRule(Glob files, String value) implements CacheRuleWith {

    /// @throws IllegalArgumentException if the value is not a valid header value
    public CacheRule {
        FieldSyntax.requireValue(value);
    }

    /// @throws IllegalArgumentException if the pattern is invalid, or the value not a valid header
    ///     value
    public static CacheRule of(String files, String value) {
        return new CacheRule(Glob.of(files), value);
    }
}
