package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// The validators of a representation (RFC 9110, section 8.8).
///
/// A date has a resolution of seconds. A response should omit the date of a representation that
/// changed within the last second or two: it may change again within that second, and the client
/// would use the outdated representation (section 8.8.2.2).
///
/// @param etag the entity tag with its quotes, `"xyz"` or `W/"xyz"`, or null
/// @param modifiedSeconds the time of the last modification, in seconds since 1970-01-01T00:00Z, or
///     -1 if it is unknown
public record Validators(@Nullable String etag, long modifiedSeconds) {

    /// No validators.
    public static final Validators NONE = new Validators(null, -1);

    /// @throws IllegalArgumentException if `etag` is not an entity tag
    public Validators {
        if (etag != null && !EntityTags.isTag(etag)) {
            throw new IllegalArgumentException("not an entity tag: " + FieldSyntax.quoted(etag));
        }
    }

    /// Returns whether the time of the last modification is known.
    boolean hasDate() {
        return modifiedSeconds != -1;
    }
}
