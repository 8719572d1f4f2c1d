package dev.tandem.engine.site;

import dev.tandem.http.HttpVersion;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A histogram of the responses of a route with the same method, version, scheme and status. Any
/// thread may call any method.
public final class RouteSeries {
    /// The upper bounds of the buckets, in milliseconds: those that OpenTelemetry's conventions
    /// recommend for `http.server.request.duration`.
    private static final long[] BOUNDS_MILLIS = {
        5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000
    };

    private static final long[] BOUNDS =
            Arrays.stream(BOUNDS_MILLIS).map(TimeUnit.MILLISECONDS::toNanos).toArray();

    private final String method;
    private final @Nullable HttpVersion version;
    private final boolean isSecure;
    private final int status;
    private final boolean isOverflow;

    /// One more than there are bounds, for durations above all of them.
    private final LongAdder[] buckets =
            Stream.generate(LongAdder::new).limit(BOUNDS.length + 1L).toArray(LongAdder[]::new);

    private final LongAdder nanos = new LongAdder();

    RouteSeries(
            String method,
            @Nullable HttpVersion version,
            boolean isSecure,
            int status,
            boolean isOverflow) {
        this.method = method;
        this.version = version;
        this.isSecure = isSecure;
        this.status = status;
        this.isOverflow = isOverflow;
    }

    /// Returns a series for what has none of its own.
    ///
    /// @param isFailed of responses with status 500 and above, or not sent to their end
    static RouteSeries ofOverflow(boolean isFailed) {
        return new RouteSeries(RouteCounts.OTHER, null, false, isFailed ? 500 : 200, true);
    }

    boolean is(@Nullable HttpVersion version, boolean isSecure, int status) {
        return this.status == status && this.version == version && this.isSecure == isSecure;
    }

    void add(long duration) {
        int bucket = 0;
        while (bucket < BOUNDS.length && duration > BOUNDS[bucket]) {
            bucket++;
        }
        buckets[bucket].increment();
        nanos.add(duration);
    }

    public String method() {
        return method;
    }

    /// Returns the version of HTTP; null if it is not known.
    public @Nullable HttpVersion version() {
        return version;
    }

    public boolean isSecure() {
        return isSecure;
    }

    /// Returns the status, or [RouteCounts#INCOMPLETE]; of an overflow 200 or 500 for its class.
    public int status() {
        return status;
    }

    /// Whether it counts what has no series of its own.
    public boolean isOverflow() {
        return isOverflow;
    }

    /// Returns the counts by duration, not cumulative; the last is for durations above all bounds.
    public long[] buckets() {
        return Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray();
    }

    public long count() {
        return Arrays.stream(buckets).mapToLong(LongAdder::sum).sum();
    }

    /// Returns the sum of the durations.
    public double seconds() {
        return nanos.sum() / 1e9;
    }

    /// Returns the upper bounds of all buckets but the last, in seconds.
    public static double[] bounds() {
        return Arrays.stream(BOUNDS).mapToDouble(nanos -> nanos / 1e9).toArray();
    }
}
