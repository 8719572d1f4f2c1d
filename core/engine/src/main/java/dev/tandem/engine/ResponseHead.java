package dev.tandem.engine;

/// The head of a response, as an [ExchangeIo] is given it to send.
public interface ResponseHead {
    /// Returns the final status, 200 to 599, or 101.
    int status();

    /// Returns the headers, but for those that say how the response travels: those are the
    /// protocol's.
    ResponseHeaders headers();

    /// Whether content may follow the head: not after HEAD, and not with 204, 205 and 304.
    boolean hasContent();
}
