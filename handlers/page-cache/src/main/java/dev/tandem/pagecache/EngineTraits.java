package dev.tandem.pagecache;

import dev.tandem.http.Bounds;

/// What a [CompressionEngine] takes. Immutable.
///
/// @param batchMax maximum number of pages in a batch, 1 to 64
/// @param inFlightMax maximum number of pages that may be in progress at once, 0 to 1,024;
///     compression gets at most half of them. 0: the engine takes none, and the cache uses the
/// codec
///     itself. Each has a buffer of a page outside of the heap
/// @param timeoutMillis how long the cache waits for a page, 1 to 60,000: what comes later is
///     ignored, and the engine gets no pages for a second, longer if it happens again
/// @param usesServingProcessors whether its work takes time of the processors that serve requests:
///     then compression needs idle processor time
/// @param decompresses whether it takes pages to decompress, too; otherwise the thread that needs a
///     page decompresses it
public record EngineTraits(
        int batchMax,
        int inFlightMax,
        int timeoutMillis,
        boolean usesServingProcessors,
        boolean decompresses) {

    private static final int BATCH_MAX = 64;
    private static final int IN_FLIGHT_MAX = 1_024;
    private static final int TIMEOUT_MAX = 60_000;

    /// An engine that takes no pages.
    static final EngineTraits NONE = new EngineTraits(1, 0, 1, true, false);

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public EngineTraits {
        Bounds.check("batchMax", batchMax, 1, BATCH_MAX);
        Bounds.check("inFlightMax", inFlightMax, 0, IN_FLIGHT_MAX);
        Bounds.check("timeoutMillis", timeoutMillis, 1, TIMEOUT_MAX);
    }
}
