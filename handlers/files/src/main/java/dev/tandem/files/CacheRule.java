package dev.tandem.files;

import dev.tandem.http.FieldSyntax;

/// What `Cache-Control` says of some of a folder's files (RFC 9111, section 5.2). Immutable.
///
/// @param files which, as a [Glob] has it: `*.html`, `assets/**`
/// @param value the field's value: `no-cache`, `public, max-age=31536000, immutable`; empty for
///     no field
public record CacheRule(Glob files, String value) {

    /// @throws IllegalArgumentException if the value is no field's value
    public CacheRule {
        FieldSyntax.requireValue(value);
    }

    /// @throws IllegalArgumentException if the pattern is none, or the value no field's value
    public static CacheRule of(String files, String value) {
        return new CacheRule(Glob.of(files), value);
    }
}
