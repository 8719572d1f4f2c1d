package dev.tandem.http.h1;

import dev.tandem.http.Headers;

/// The head of a response, checked (RFC 9112, sections 4 to 6). Immutable.
///
/// @param status 100 to 599
/// @param minorVersion 0 for HTTP/1.0, 1 for what claims to be later
/// @param headers all fields, as they came
/// @param contentLength in bytes as the head says it, or -1 where it does not
/// @param isChunked whether the content comes in chunks
/// @param isKeepAlive whether another response may follow on the connection
public record ResponseHead(
        int status,
        int minorVersion,
        Headers headers,
        long contentLength,
        boolean isChunked,
        boolean isKeepAlive) {}
