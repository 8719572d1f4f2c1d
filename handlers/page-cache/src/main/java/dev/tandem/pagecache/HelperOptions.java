package dev.tandem.pagecache;

import dev.tandem.http.Bounds;
import java.util.regex.Pattern;

/// Options of an engine in a process of its own. Immutable.
///
/// @param processors the processors that it may run on, as `taskset -c` takes them, such as
/// `2,4-6`;
///     empty for all. Only if they are given, they count as others than those that serve requests
/// @param threads how many pages it processes at once, 1 to 64
/// @param inFlightMax maximum number of pages at the process, 1 to 256: each takes twice its size
/// of
///     shared memory
/// @param batchMax maximum number of pages in a batch, 1 to 64
/// @param decompresses whether it gets pages to decompress, too
/// @param timeoutMillis how long a page may take, 10 to 60,000: then the process is ended, and
///     started again
public record HelperOptions(
        String processors,
        int threads,
        int inFlightMax,
        int batchMax,
        boolean decompresses,
        int timeoutMillis) {

    private static final Pattern PROCESSORS = Pattern.compile("(\\d+(-\\d+)?(,\\d+(-\\d+)?)*)?");
    private static final int THREADS_MAX = 64;
    private static final int IN_FLIGHT_MAX = 256;
    private static final int BATCH_MAX = 64;
    private static final int TIMEOUT_MIN = 10;
    private static final int TIMEOUT_MAX = 60_000;

    /// One thread on any processor, which compresses.
    public static final HelperOptions DEFAULT = new HelperOptions("", 1, 64, 16, false, 5_000);

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public HelperOptions {
        if (!PROCESSORS.matcher(processors).matches()) {
            throw new IllegalArgumentException("processors must be such as 2,4-6: " + processors);
        }
        Bounds.check("threads", threads, 1, THREADS_MAX);
        Bounds.check("inFlightMax", inFlightMax, 1, IN_FLIGHT_MAX);
        Bounds.check("batchMax", batchMax, 1, BATCH_MAX);
        Bounds.check("timeoutMillis", timeoutMillis, TIMEOUT_MIN, TIMEOUT_MAX);
    }

    /// Returns these options for some processors.
    public HelperOptions withProcessors(String list) {
        return new HelperOptions(list, threads, inFlightMax, batchMax, decompresses, timeoutMillis);
    }

    /// Returns these options with another maximum of pages in a batch.
    public HelperOptions withBatchMax(int pages) {
        return new HelperOptions(
                processors, threads, inFlightMax, pages, decompresses, timeoutMillis);
    }

    /// Returns these options with pages to decompress, too, or not.
    public HelperOptions withDecompresses(boolean isTaken) {
        return new HelperOptions(
                processors, threads, inFlightMax, batchMax, isTaken, timeoutMillis);
    }

    /// Returns these options with another time-out.
    public HelperOptions withTimeoutMillis(int millis) {
        return new HelperOptions(processors, threads, inFlightMax, batchMax, decompresses, millis);
    }
}
