package dev.tandem.engine.container;

/// The head of a container's response, in the form in which its protocol sends it. Confined to one
/// thread, and valid until the next use of its exchange.
public interface ContainerHead {
    /// Adds a header. What only HTTP/1 connections have (RFC 9113, section 8.2.2) is not sent over
    /// HTTP/2.
    ///
    /// @param name a token
    /// @throws IllegalArgumentException if the value contains a control character other than HTAB,
    ///     or one that is not in Latin-1: the head must not be sent
    ContainerHead header(String name, String value);

    /// Adds the `Date` of this second, for a head that has none.
    ContainerHead date();

    /// Adds the `Content-Length`.
    ///
    /// @param bytes 0 or more
    ContainerHead contentLength(long bytes);

    /// Declares that the end of the content shows its length: over HTTP/1.1 it is sent in chunks,
    /// and the head says so.
    ContainerHead chunked();

    /// Returns the length in bytes, before compression.
    int length();
}
