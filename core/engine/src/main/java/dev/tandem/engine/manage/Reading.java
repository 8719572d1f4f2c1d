package dev.tandem.engine.manage;

import dev.tandem.admission.Counters;
import dev.tandem.admission.Reason;
import dev.tandem.admission.Utilization;
import dev.tandem.engine.Engine;
import dev.tandem.engine.site.Durations;
import dev.tandem.engine.site.RouteCounts;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a server has counted since its start and what it does, at one moment. Reading adds nothing
/// to the path of a request.
///
/// @param nanos by [System#nanoTime()]
/// @param durations counts of responses by duration, of all routes, without 503
/// @param rejected rejections by reason, since the start
/// @param active requests that run, wait or are detached, and event streams
/// @param waiting requests that wait for a worker
/// @param running requests that have a worker
/// @param workers the limit of these
/// @param connections open connections
/// @param pausedNanos how long accepting was paused, since the start
/// @param busiest the route that has the most workers, if all of them are busy
record Reading(
        long nanos,
        long[] durations,
        Map<Reason, Long> rejected,
        int active,
        int waiting,
        int running,
        int workers,
        int connections,
        long pausedNanos,
        Utilization utilization,
        @Nullable String busiest) {

    static Reading of(Engine engine, long nowNanos) {
        Counters counters = engine.dispatcher().admission().counters();
        boolean isBusy = counters.waiting() > 0 || counters.running() >= counters.workers();
        return new Reading(
                nowNanos,
                durations(engine.traffic().all()),
                counters.rejected(),
                counters.active() + engine.feeds().open(),
                counters.waiting(),
                counters.running(),
                counters.workers(),
                engine.open().get(),
                counters.acceptPausedNanos(),
                engine.utilization().read(),
                isBusy ? busiest(RunningRequest.of(engine, nowNanos)) : null);
    }

    /// Returns the counts of all routes together.
    static long[] durations(List<RouteCounts> routes) {
        var sum = new long[Durations.BUCKETS];
        for (RouteCounts route : routes) {
            route.methods().forEach(of -> of.durations().addTo(sum));
        }
        return sum;
    }

    private static @Nullable String busiest(List<RunningRequest> running) {
        return mostFrequent(running.stream().map(r -> r.method() + " " + r.route()).toList());
    }

    /// Returns the most frequent of some names, the first in their order of several; null of none.
    static @Nullable String mostFrequent(List<String> names) {
        Comparator<Map.Entry<String, Long>> byCount = Map.Entry.comparingByValue();
        return names.stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(byCount.thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
