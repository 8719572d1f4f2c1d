package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// What tells the state of a representation (RFC 9110, section 8.8).
///
/// A date tells seconds apart only. Whoever answers with a thing that changed within the last
/// second or two should leave its date out: it may change again within that second, and the client
/// would take the old for the new (section 8.8.2.2).
///
/// @param etag the entity tag with its quotes, `"xyz"` or `W/"xyz"`, or null
/// @param modifiedSeconds the last change, in seconds since 1970-01-01T00:00Z, or -1 if it is
///     unknown
public record Validators(@Nullable String etag, long modifiedSeconds) {

    /// No validators.
    public static final Validators NONE = new Validators(null, -1);

    /// @throws IllegalArgumentException if `etag` is no entity tag
    public Validators {
        if (etag != null && !EntityTags.isTag(etag)) {
            throw new IllegalArgumentException("not an entity tag: " + FieldSyntax.quoted(etag));
        }
    }

    /// Whether the last change is known.
    boolean hasDate() {
        return modifiedSeconds != -1;
    }
}
