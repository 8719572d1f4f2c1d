package dev.tandem.http;

/// What [Target#parse(String, byte\[\], int, int)] made of a request target.
public sealed interface ParsedTarget permits RequestTarget, ParsedTarget.Invalid {

    /// It is none, or one that is not served.
    record Invalid(MalformedMessage error) implements ParsedTarget {}
}
