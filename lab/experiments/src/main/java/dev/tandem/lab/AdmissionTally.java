package dev.tandem.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts what clients received during the measurement: complete responses with their times,
/// rejections, other statuses, completed sessions. Only responses with status 200 have their times
/// recorded: a rejection is quick, and would make a bad server look good. Safe for use by any
/// thread.
final class AdmissionTally {
    private static final int OK = 200;
    private static final int REJECTED = 503;

    /// Maximum number of recorded responses: a bound on memory, far above what one measurement
    /// yields.
    private static final int RESPONSES_MAX = 5_000_000;

    private final long from;
    private final long until;
    private final Map<String, List<Completion>> completions = new LinkedHashMap<>();
    /// Times of the responses with another status than 200.
    private final List<Long> failures = new ArrayList<>();

    private int kept;
    private long rejected;
    private long wrong;
    private long completed;
    private long abandoned;

    /// @param at when it was received, on the monotonic clock
    /// @param nanos since the client was due to send the request
    record Completion(long at, long nanos) {}

    /// @param from on the monotonic clock: earlier events are not counted
    /// @param until events from this time on are not counted either
    AdmissionTally(long from, long until) {
        this.from = from;
        this.until = until;
    }

    /// Records a response.
    ///
    /// @param due when the client was due to send the request, so that waiting for a connection
    ///     counts
    synchronized void responded(String page, int status, long due, long now) {
        if (now - from < 0 || now - until >= 0) {
            return;
        }
        if (status != OK && failures.size() < RESPONSES_MAX) {
            failures.add(now);
        }
        switch (status) {
            case OK -> {
                if (kept++ < RESPONSES_MAX) {
                    completions
                            .computeIfAbsent(page, _ -> new ArrayList<>())
                            .add(new Completion(now, now - due));
                }
            }
            case REJECTED -> rejected++;
            default -> wrong++;
        }
    }

    /// Records a session that received all its responses.
    synchronized void completed(long now) {
        if (now - from >= 0 && now - until < 0) {
            completed++;
        }
    }

    /// Records a session that was rejected after at least one response.
    synchronized void abandoned(long now) {
        if (now - from >= 0 && now - until < 0) {
            abandoned++;
        }
    }

    double seconds() {
        return (until - from) / 1e9;
    }

    /// Returns the number of responses of a page that took at most the given time.
    synchronized long good(String page, double secondsMax) {
        return completions.getOrDefault(page, List.of()).stream()
                .filter(completion -> completion.nanos <= secondsMax * 1e9)
                .count();
    }

    /// Returns the number of responses of all pages that took at most the given time.
    synchronized long good(double secondsMax) {
        return completions.keySet().stream().mapToLong(page -> good(page, secondsMax)).sum();
    }

    synchronized List<String> pages() {
        return List.copyOf(completions.keySet());
    }

    synchronized long rejected() {
        return rejected;
    }

    /// Returns the number of responses with other statuses than 200 and 503.
    synchronized long wrong() {
        return wrong;
    }

    synchronized long completed() {
        return completed;
    }

    synchronized long abandoned() {
        return abandoned;
    }

    /// Returns the seconds since counting began.
    double second(long at) {
        return (at - from) / 1e9;
    }

    /// Returns whether a response other than 200 was received in that time.
    ///
    /// @param begin in seconds from when counting began
    synchronized boolean hasRejectedBetween(double begin, double end) {
        return failures.stream().anyMatch(at -> second(at) >= begin && second(at) < end);
    }

    /// Returns the quantile of a page's response times, in milliseconds; NaN without responses.
    ///
    /// @param share over 0 to 1
    synchronized double millis(String page, double share) {
        return quantile(completions.getOrDefault(page, List.of()), share);
    }

    /// Returns the quantile over all pages.
    synchronized double millis(double share) {
        return quantile(all(), share);
    }

    /// Returns all responses, in order.
    synchronized List<Completion> all() {
        var all = new ArrayList<Completion>();
        completions.values().forEach(all::addAll);
        all.sort((a, b) -> Long.signum(a.at - b.at));
        return all;
    }

    static double quantile(List<Completion> some, double share) {
        if (some.isEmpty()) {
            return Double.NaN;
        }
        long[] sorted = some.stream().mapToLong(Completion::nanos).toArray();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(rank, 1) - 1] / 1e6;
    }
}
