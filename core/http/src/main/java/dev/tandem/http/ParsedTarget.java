package dev.tandem.http;

/// The result of [RequestTarget#parse(String, byte\[\], int, int)].
public sealed interface ParsedTarget permits RequestTarget, ParsedTarget.Invalid {

    /// The target is malformed or not supported.
    record Invalid(MalformedMessage error) implements ParsedTarget {}
}
