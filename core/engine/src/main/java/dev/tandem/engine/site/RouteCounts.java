package dev.tandem.engine.site;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/// Counts the responses of a route by class of status and duration. Counting takes some tens of
/// nanoseconds and allocates nothing. Any thread may call any method.
public final class RouteCounts {
    /// OpenTelemetry's name for unknown methods.
    public static final String OTHER = "_OTHER";

    /// Stands for the status of a response that was not sent to its end.
    public static final int INCOMPLETE = 0;

    /// The upper bounds of the buckets of durations, in milliseconds: those of OpenTelemetry's HTTP
    /// conventions, with 1 ms for short responses, and without 75, 750 and 7,500 ms.
    private static final long[] BOUNDS_MILLIS = {
        1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000
    };

    private static final long[] BOUNDS =
            Arrays.stream(BOUNDS_MILLIS).map(TimeUnit.MILLISECONDS::toNanos).toArray();

    /// Buckets, one for durations above all bounds, and the sum of nanoseconds.
    private static final int ROW = BOUNDS.length + 2;

    /// By the first digit of the status.
    private static final String[] CLASSES = {"incomplete", "1xx", "2xx", "3xx", "4xx", "5xx"};

    /// The status of a rejection; its duration says nothing of the handlers.
    private static final int REJECTED = 503;

    private final String method;
    private final String pattern;
    private final Durations durations = new Durations();
    private final LongAdder[] cells =
            Stream.generate(LongAdder::new)
                    .limit((long) ROW * CLASSES.length)
                    .toArray(LongAdder[]::new);

    /// @param pattern empty if there is no route
    public RouteCounts(String method, String pattern) {
        this.method = method;
        this.pattern = pattern;
    }

    public String method() {
        return method;
    }

    public String pattern() {
        return pattern;
    }

    /// Counts a response.
    ///
    /// @param status of the response, 100 to 599, or [#INCOMPLETE]
    /// @param nanos from the decoded head to the written response
    public void responded(int status, long nanos) {
        int row = status / 100;
        int bucket = 0;
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++;
        }
        cells[row * ROW + bucket].increment();
        cells[row * ROW + ROW - 1].add(nanos);
        if (status != INCOMPLETE && status != REJECTED) {
            durations.add(nanos);
        }
    }

    /// Returns the durations of all responses that were sent to their end, except 503.
    public Durations durations() {
        return durations;
    }

    /// Counts of one class of status.
    ///
    /// @param buckets not cumulative; the last is for durations above all bounds
    public record OfClass(String status, long[] buckets, double seconds) {
        public long count() {
            return Arrays.stream(buckets).sum();
        }
    }

    /// Returns the counted classes of status.
    public Stream<OfClass> classes() {
        return Stream.iterate(0, i -> i < CLASSES.length, i -> i + 1)
                .map(this::ofClass)
                .filter(c -> c.count() > 0);
    }

    private OfClass ofClass(int row) {
        long[] buckets = new long[ROW - 1];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = cells[row * ROW + i].sum();
        }
        return new OfClass(CLASSES[row], buckets, cells[row * ROW + ROW - 1].sum() / 1e9);
    }

    /// Returns the upper bound of a bucket, in seconds.
    public static double bound(int bucket) {
        return BOUNDS[bucket] / 1e9;
    }

    public static int bounds() {
        return BOUNDS.length;
    }
}
