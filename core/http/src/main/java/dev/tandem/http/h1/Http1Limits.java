package dev.tandem.http.h1;

import dev.tandem.http.HeadLimits;

/// What a decoder of HTTP/1.1 accepts.
///
/// @param usesSpecificStatus whether a request line or a head over its limit gets the specific
///     status 414 or 431; default true. Otherwise it gets 400, as from unmodified Tomcat
/// @param isLenient whether the syntax of old clients is accepted; default false. If true, a line
///     may end with LF only; a header may be folded into several lines, unless it frames or routes
///     the message; tabs may replace the spaces of a request line; up to 100 empty lines may
///     precede it; blanks may follow a chunk extension. A chunked body may have a length, which is
///     ignored, or be sent in HTTP/1.0; the connection is closed after it. `GET` and a target alone
///     are an HTTP/0.9 request. A CR without LF is still rejected, as is LF alone in the framing of
///     chunks
public record Http1Limits(
        HeadLimits heads, ChunkLimits chunks, boolean usesSpecificStatus, boolean isLenient)
        implements Http1LimitsWith {

    public static final Http1Limits DEFAULT =
            new Http1Limits(HeadLimits.DEFAULT, ChunkLimits.DEFAULT, true, false);
}
