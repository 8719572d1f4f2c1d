package dev.tandem.http;

/// What [Target#parse(String, byte\[\], int, int)] made of a request target.
public sealed interface ParsedTarget permits Target, ParsedTarget.Refused {

    /// It is none, or one that is not served.
    record Refused(Bad bad) implements ParsedTarget {}
}
