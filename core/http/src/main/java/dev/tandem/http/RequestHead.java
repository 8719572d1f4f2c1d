package dev.tandem.http;

/// A decoded request head as the event loop sees it: valid only during the call it is passed to.
public interface RequestHead {

    String method();

    RequestTarget target();

    /// Whether the head has such a field.
    boolean has(KnownHeader field);

    /// Whether the head has exactly one such field, and its value is `value`, byte for byte.
    boolean isExactly(KnownHeader field, String value);

    /// The first such field's value, or the empty string; makes a new string.
    String value(KnownHeader field);

    /// Returns the value of the first field of that name in any case, or the empty string.
    String value(String name);

    /// Returns all fields, in the order sent; made at the first call.
    Headers headers();

    /// Returns 0 for HTTP/1.0, 1 for HTTP/1.1 and what claims to be later.
    int minorVersion();
}
