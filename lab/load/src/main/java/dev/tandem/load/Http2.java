package dev.tandem.load;

/// The HTTP/2 settings of users, for [Client.Version#HTTP_2]. Over TLS the protocol is chosen by
/// ALPN, otherwise by prior knowledge (RFC 9113, section 3). Immutable.
///
/// A call is a stream. Those of a [Shape#PARALLEL] or [Shape#PIPELINED] step are concurrent.
///
/// @param streamsMax the maximum number of concurrent streams of a connection, if the server allows
///     as many; further calls wait for one; default 100. 1 to 10,000
/// @param isShared whether users share connections, as behind a proxy: `streamsMax` users each.
///     Such a connection is kept when its users' sessions end. Default false: each user has a
///     connection of its own, as a browser does, which is closed with the session
/// @param refusedRetriesMax how often a call is repeated whose stream the server refused before any
///     processing (REFUSED_STREAM; RFC 9113, section 8.7), whatever its method; first after 10 ms,
///     then each time after twice as long, at most a second. Default 0: the call fails as
///     [Outcome#STREAM_REFUSED]. 0 to 1,000
public record Http2(int streamsMax, boolean isShared, int refusedRetriesMax) implements Http2With {
    static final int STREAMS_MAX = 10_000;

    public static final Http2 DEFAULT = new Http2(100, false, 0);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public Http2 {
        if (streamsMax < 1 || streamsMax > STREAMS_MAX) {
            throw new IllegalArgumentException(
                    "streamsMax must be 1.." + STREAMS_MAX + ", was " + streamsMax);
        }
        if (refusedRetriesMax < 0 || refusedRetriesMax > 1_000) {
            throw new IllegalArgumentException(
                    "refusedRetriesMax must be 0..1000, was " + refusedRetriesMax);
        }
    }
}
