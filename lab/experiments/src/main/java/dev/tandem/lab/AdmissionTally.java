package dev.tandem.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What visitors got while it counted: whole answers with their times, refusals, other statuses,
/// sessions that came to their end. Of answers with status 200 alone are times kept: a refusal is
/// quick, and would make a bad server look good. Safe for use by any thread.
final class AdmissionTally {
    private static final int OK = 200;
    private static final int REFUSED = 503;

    /// Answers that are kept: a bound on memory, far above what a take brings.
    private static final int ANSWERS_MAX = 5_000_000;

    private final long from;
    private final long until;
    private final Map<String, List<Answer>> answers = new LinkedHashMap<>();
    /// When others than 200 came.
    private final List<Long> hurts = new ArrayList<>();

    private int kept;
    private long refused;
    private long wrong;
    private long completed;
    private long abandoned;

    /// @param at when it came, on the monotonic clock
    /// @param nanos from when the visitor wanted to ask
    record Answer(long at, long nanos) {}

    /// @param from on the monotonic clock: what comes before it is not counted
    /// @param until nor what comes from this on
    AdmissionTally(long from, long until) {
        this.from = from;
        this.until = until;
    }

    /// An answer has come.
    ///
    /// @param asked when its visitor wanted to ask, so that waiting for a connection counts
    synchronized void answered(String page, int status, long asked, long now) {
        if (now - from < 0 || now - until >= 0) {
            return;
        }
        if (status != OK && hurts.size() < ANSWERS_MAX) {
            hurts.add(now);
        }
        switch (status) {
            case OK -> {
                if (kept++ < ANSWERS_MAX) {
                    answers.computeIfAbsent(page, _ -> new ArrayList<>())
                            .add(new Answer(now, now - asked));
                }
            }
            case REFUSED -> refused++;
            default -> wrong++;
        }
    }

    /// A session has got all that it came for.
    synchronized void completed(long now) {
        if (now - from >= 0 && now - until < 0) {
            completed++;
        }
    }

    /// A session that had an answer before was refused.
    synchronized void abandoned(long now) {
        if (now - from >= 0 && now - until < 0) {
            abandoned++;
        }
    }

    double seconds() {
        return (until - from) / 1e9;
    }

    /// Answers of a page that took at most so long.
    synchronized long good(String page, double secondsMax) {
        return answers.getOrDefault(page, List.of()).stream()
                .filter(answer -> answer.nanos <= secondsMax * 1e9)
                .count();
    }

    /// Answers of all pages that took at most so long.
    synchronized long good(double secondsMax) {
        return answers.keySet().stream().mapToLong(page -> good(page, secondsMax)).sum();
    }

    synchronized List<String> pages() {
        return List.copyOf(answers.keySet());
    }

    synchronized long refused() {
        return refused;
    }

    /// Answers of other statuses than 200 and 503.
    synchronized long wrong() {
        return wrong;
    }

    synchronized long completed() {
        return completed;
    }

    synchronized long abandoned() {
        return abandoned;
    }

    /// Seconds from when it began to count.
    double second(long at) {
        return (at - from) / 1e9;
    }

    /// Whether another answer than 200 came in that time.
    ///
    /// @param begin in seconds from when it began to count
    synchronized boolean hasRefusedBetween(double begin, double end) {
        return hurts.stream().anyMatch(at -> second(at) >= begin && second(at) < end);
    }

    /// What so many of a page's answers did not exceed, in milliseconds; NaN if there are none.
    ///
    /// @param share over 0 to 1
    synchronized double millis(String page, double share) {
        return quantile(answers.getOrDefault(page, List.of()), share);
    }

    /// The same, of all pages.
    synchronized double millis(double share) {
        return quantile(all(), share);
    }

    /// All answers, in order.
    synchronized List<Answer> all() {
        var all = new ArrayList<Answer>();
        answers.values().forEach(all::addAll);
        all.sort((a, b) -> Long.signum(a.at - b.at));
        return all;
    }

    static double quantile(List<Answer> some, double share) {
        if (some.isEmpty()) {
            return Double.NaN;
        }
        long[] sorted = some.stream().mapToLong(Answer::nanos).toArray();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(rank, 1) - 1] / 1e6;
    }
}
