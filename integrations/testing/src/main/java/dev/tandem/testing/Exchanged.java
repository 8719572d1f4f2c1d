package dev.tandem.testing;

import dev.tandem.http.Headers;

/// A complete response, as it was received.
record Exchanged(int status, Headers headers, byte[] body) {}
