package dev.tandem.http;

/// A decoded request head on the event loop; valid only during the call that it is passed to.
public interface RequestHead {

    String method();

    RequestTarget target();

    /// Returns whether the head contains the header.
    boolean has(KnownHeader header);

    /// Returns whether the head contains the header exactly once, with the value `value`, byte for
    /// byte.
    boolean isExactly(KnownHeader header, String value);

    /// Returns the first value of the header, or the empty string; allocates a new string.
    String value(KnownHeader header);

    /// Returns the first value of a header, ignoring case, or the empty string.
    String value(String name);

    /// Returns all headers, in the order sent; created by the first call.
    Headers headers();

    /// Returns 0 for HTTP/1.0, 1 for HTTP/1.1 and later versions: whether the client knows interim
    /// responses, trailers and content of unknown length.
    int minorVersion();

    /// Returns the version of the message.
    default HttpVersion version() {
        return HttpVersion.ofMinor(minorVersion());
    }
}
