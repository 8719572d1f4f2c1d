package dev.tandem.http.h1;

import dev.tandem.http.Headers;

/// A validated response head (RFC 9112, sections 4 to 6). Immutable.
///
/// @param status 100 to 599
/// @param minorVersion 0 for HTTP/1.0, 1 for later minor versions
/// @param headers all headers, as received
/// @param contentLength in bytes, or -1 if absent
/// @param isChunked whether the content is chunked
/// @param isKeepAlive whether the connection persists after this response
public record ResponseHead(
        int status,
        int minorVersion,
        Headers headers,
        long contentLength,
        boolean isChunked,
        boolean isKeepAlive) {}
