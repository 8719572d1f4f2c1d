package dev.tandem.engine.http2;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;

/// The graceful end of a connection (RFC 9113, section 6.8): first a GOAWAY that only announces it,
/// so that requests in transit are still served; after a round trip, or a second, one with the last
/// stream; the connection is closed when its streams are completed. Confined to the loop.
final class Http2Drain {
    /// The data of the PING that measures the round trip.
    private static final long PING = 0x7461_6e64_656d_2121L;

    private static final long ROUND_TRIP_MAX_NANOS = 1_000_000_000L;

    private final Http2Connection http;
    private boolean isLast;
    private final long announcedNanos;

    /// Announces that the connection will be closed.
    Http2Drain(Http2Connection http) {
        this.http = http;
        announcedNanos = http.nowNanos();
        FrameWriter.goAway(http.output().control(), Integer.MAX_VALUE, ErrorCode.NO_ERROR);
        FrameWriter.ping(http.output().control(), PING, false);
        http.engine().http2().goAway(ErrorCode.NO_ERROR);
    }

    /// Whether no further stream is accepted.
    boolean isLast() {
        return isLast;
    }

    /// A PING of this endpoint was acknowledged.
    void acknowledged(long data) {
        if (data == PING) {
            end();
        }
    }

    /// Ends the wait for the round trip when it is too long.
    void tick(long nowNanos) {
        if (nowNanos - announcedNanos >= ROUND_TRIP_MAX_NANOS) {
            end();
        }
    }

    private void end() {
        if (!isLast) {
            isLast = true;
            int last = http.streams().highestId();
            FrameWriter.goAway(http.output().control(), last, ErrorCode.NO_ERROR);
        }
    }
}
