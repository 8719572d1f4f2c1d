package dev.tandem.engine;

/// The head of a response, as passed to an [ExchangeIo].
public interface ResponseHead {
    /// Returns the final status, 200 to 599, or 101.
    int status();

    /// Returns the headers, except those for connection and framing, which the protocol sets.
    ResponseHeaders headers();

    /// Whether content may follow the head: not after HEAD, and not with 204, 205 and 304.
    boolean hasContent();

    /// Whether the headers have a `Date`, so that the protocol adds none.
    default boolean hasDate() {
        return false;
    }
}
