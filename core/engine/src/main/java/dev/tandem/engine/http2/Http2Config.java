package dev.tandem.engine.http2;

import dev.tandem.Options;
import dev.tandem.engine.Engine;
import dev.tandem.engine.container.ContainerOptions;
import dev.tandem.http.HeadLimits;
import dev.tandem.http.h2.Http2Limits;
import dev.tandem.http.h2.Settings;

/// What HTTP/2 connections use of a server's options. Immutable.
///
/// @param settings sent to each client
/// @param limits on header blocks
/// @param streamsMax maximum number of concurrent streams of a connection
/// @param ageMaxNanos maximum age of a connection; 0 for no maximum
/// @param timeouts of the server
/// @param bodyMax maximum length of a request body in bytes
/// @param bodyRateMin minimum rate of a body in bytes per second beyond its grace; 0 for no minimum
/// @param reading how requests are read
record Http2Config(
        Settings settings,
        Http2Limits limits,
        int streamsMax,
        long ageMaxNanos,
        Engine.TimeoutNanos timeouts,
        long bodyMax,
        long bodyRateMin,
        ContainerOptions reading) {

    /// Initial window of each stream: 128 KiB. Bodies up to [Http2Body#COLLECTED_MAX] are received
    /// as a whole before a worker is spent on them, and the client of a longer one need not pause
    /// until the worker reads.
    static final int STREAM_WINDOW = 131_072;

    /// What each of the 128 headers of a list counts in addition to its text, in bytes.
    private static final int HEADERS_OVERHEAD = 128 * 32;

    static Http2Config of(Engine engine) {
        Options options = engine.options();
        Options.Http2 http2 = options.http2();
        HeadLimits heads = options.limits().heads();
        Settings settings =
                Settings.SERVER
                        .withMaxConcurrentStreams(http2.streamsMax())
                        .withInitialWindowSize(STREAM_WINDOW)
                        .withMaxHeaderListSize(heads.headMax() + HEADERS_OVERHEAD);
        return new Http2Config(
                settings,
                Http2Limits.DEFAULT.withHeadersMax(Math.min(10_000, 2 * heads.headersMax())),
                http2.streamsMax(),
                http2.ageMax().toNanos(),
                engine.timeouts(),
                options.limits().bodyMax(),
                options.timeouts().bodyRateMin(),
                engine.tuning().container());
    }
}
