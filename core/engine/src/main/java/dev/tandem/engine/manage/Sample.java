package dev.tandem.engine.manage;

import dev.tandem.admission.Reason;
import dev.tandem.admission.Utilization;
import dev.tandem.engine.site.Durations;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What a server did in the time between two readings, and its state at the end of it.
///
/// @param atNanos its end, by [System#nanoTime()]
/// @param nanos its length, over 0
/// @param completed number of responses sent to their end, without 503
/// @param rejected number of requests rejected, by reason; reasons without any are missing
/// @param p50 nanoseconds within which half of the responses were sent; 0 if there was none
/// @param p90 90 % of them
/// @param p99 99 % of them
/// @param pausedNanos how long accepting was paused, as far as it has ended
/// @param end the state at its end
record Sample(
        long atNanos,
        long nanos,
        long completed,
        Map<Reason, Long> rejected,
        long p50,
        long p90,
        long p99,
        long pausedNanos,
        State end) {

    /// The state at one moment; see [Reading].
    record State(
            int active,
            int waiting,
            int running,
            int workers,
            int connections,
            Utilization utilization,
            @Nullable String busiest) {}

    /// @param from an earlier reading of the same server
    static Sample between(Reading from, Reading to) {
        var durations = new long[Durations.BUCKETS];
        long completed = 0;
        for (int i = 0; i < durations.length; i++) {
            durations[i] = to.durations()[i] - from.durations()[i];
            completed += durations[i];
        }
        return new Sample(
                to.nanos(),
                to.nanos() - from.nanos(),
                completed,
                rejected(from, to),
                Durations.percentile(durations, 0.5),
                Durations.percentile(durations, 0.9),
                Durations.percentile(durations, 0.99),
                to.pausedNanos() - from.pausedNanos(),
                new State(
                        to.active(),
                        to.waiting(),
                        to.running(),
                        to.workers(),
                        to.connections(),
                        to.utilization(),
                        to.busiest()));
    }

    private static Map<Reason, Long> rejected(Reading from, Reading to) {
        var rejected = new EnumMap<Reason, Long>(Reason.class);
        to.rejected()
                .forEach(
                        (reason, count) -> {
                            long lately = count - from.rejected().getOrDefault(reason, 0L);
                            if (lately > 0) {
                                rejected.put(reason, lately);
                            }
                        });
        return Map.copyOf(rejected);
    }

    long rejectedTotal() {
        return rejected.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Returns an array of JSON: milliseconds; completed and rejected per second; percentiles in
    /// microseconds, null if there was no response; active, waiting, running, workers, connections.
    String json() {
        return new StringJoiner(",", "[", "]")
                .add(Long.toString(TimeUnit.NANOSECONDS.toMillis(atNanos)))
                .add(perSecond(completed))
                .add(perSecond(rejectedTotal()))
                .add(micros(p50))
                .add(micros(p90))
                .add(micros(p99))
                .add(Integer.toString(end.active))
                .add(Integer.toString(end.waiting))
                .add(Integer.toString(end.running))
                .add(Integer.toString(end.workers))
                .add(Integer.toString(end.connections))
                .toString();
    }

    private String perSecond(long count) {
        return count == 0 ? "0" : String.format(Locale.ROOT, "%.2f", 1e9 * count / nanos);
    }

    private String micros(long duration) {
        return completed == 0 ? "null" : Long.toString(TimeUnit.NANOSECONDS.toMicros(duration));
    }
}
