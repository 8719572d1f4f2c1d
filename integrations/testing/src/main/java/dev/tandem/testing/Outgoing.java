package dev.tandem.testing;

import java.util.List;

/// A complete request.
///
/// @param headers names and values, alternating
/// @param body empty if there is none
record Outgoing(String method, String target, List<String> headers, byte[] body) {}
