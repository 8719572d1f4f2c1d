package dev.tandem.tomcat;

import dev.tandem.Options;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.coyote.http2.Http2Protocol;
import org.jspecify.annotations.Nullable;

/// The connector's attributes for HTTP/2, and those of a stock `<UpgradeProtocol>`.
///
/// @param isEnabled whether the attribute `http2` is set
/// @param isClearTextEverywhere whether the attribute `http2ClearText` is set
/// @param stock the `<UpgradeProtocol>` of the stock connectors; null if there is none
record Http2Attributes(
        boolean isEnabled, boolean isClearTextEverywhere, @Nullable Http2Protocol stock) {
    private static final int STREAMS_MAX = 65_536;

    /// Attributes of the stock protocol without an equivalent: what they limit has limits of its
    /// own here, or none is needed.
    private static final List<Ignored> IGNORED =
            List.of(
                    new Ignored("readTimeout", Http2Protocol::getReadTimeout),
                    new Ignored("writeTimeout", Http2Protocol::getWriteTimeout),
                    new Ignored("keepAliveTimeout", Http2Protocol::getKeepAliveTimeout),
                    new Ignored("streamReadTimeout", Http2Protocol::getStreamReadTimeout),
                    new Ignored("streamWriteTimeout", Http2Protocol::getStreamWriteTimeout),
                    new Ignored(
                            "maxConcurrentStreamExecution",
                            Http2Protocol::getMaxConcurrentStreamExecution),
                    new Ignored("initialWindowSize", Http2Protocol::getInitialWindowSize),
                    new Ignored("overheadCountFactor", Http2Protocol::getOverheadCountFactor),
                    new Ignored("overheadResetFactor", Http2Protocol::getOverheadResetFactor),
                    new Ignored(
                            "overheadContinuationThreshold",
                            Http2Protocol::getOverheadContinuationThreshold),
                    new Ignored("overheadDataThreshold", Http2Protocol::getOverheadDataThreshold),
                    new Ignored(
                            "overheadWindowUpdateThreshold",
                            Http2Protocol::getOverheadWindowUpdateThreshold),
                    new Ignored("useSendfile", p -> p.getUseSendfile() ? 1 : 0),
                    new Ignored("initiatePingDisabled", p -> p.getInitiatePingDisabled() ? 1 : 0),
                    new Ignored(
                            "discardRequestsAndResponses",
                            p -> p.getDiscardRequestsAndResponses() ? 1 : 0));

    private record Ignored(String name, ToLongFunction<Http2Protocol> value) {}

    /// Whether the connector speaks HTTP/2.
    boolean isOn() {
        return isEnabled || stock != null;
    }

    /// Returns the server's options. A stock `<UpgradeProtocol>` allows HTTP/2 without TLS
    /// everywhere, as in the stock connectors; the attribute `http2` only to clients of this
    /// machine.
    Options.Http2 options() {
        Http2Protocol given = stock;
        Options.Http2 options =
                Options.DEFAULT
                        .http2()
                        .withEnabled(isOn())
                        .withClearTextEverywhere(isClearTextEverywhere || given != null);
        return given == null
                ? options
                : options.withStreamsMax(
                        (int) Math.clamp(given.getMaxConcurrentStreams(), 1L, STREAMS_MAX));
    }

    /// Returns the names of the attributes that are set and have no effect here.
    static List<String> ignored(Http2Protocol given) {
        var defaults = new Http2Protocol();
        return IGNORED.stream()
                .filter(a -> a.value.applyAsLong(given) != a.value.applyAsLong(defaults))
                .map(Ignored::name)
                .toList();
    }
}
