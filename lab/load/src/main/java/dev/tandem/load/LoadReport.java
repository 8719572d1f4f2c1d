package dev.tandem.load;

import java.util.List;
import java.util.Map;

/// What came of a load. All of it is of the time after the warm-up.
///
/// @param workload its name
/// @param seconds from the warm-up's end to the end of the last session that counts
/// @param measured times from a request's first byte to its answer's last
/// @param corrected the same from when the request was meant to go out: a visitor of an open loop
///     who comes while the server, or this generator, is behind has waited, too. Connections
///     count into it
/// @param errors calls that failed for good or were made again, by what became of them; without
///     [Outcome#OK]
/// @param pages by [Call#page()]
/// @param series what happened in each second
public record LoadReport(
        String workload,
        double seconds,
        Connections connections,
        Requests requests,
        Replies replies,
        Sessions sessions,
        Latency measured,
        Latency corrected,
        Map<Outcome, Long> errors,
        Map<String, Page> pages,
        List<Second> series,
        Generator generator) {

    /// @param attempted begun, whether they came about or not
    /// @param opened came about
    /// @param closedIdle closed by the server while the visitor had nothing under way
    /// @param concurrentMax most at once
    /// @param connectMillis how long they took to come about
    /// @param lifeMillis how long those lived that carried an answer
    /// @param repliesEach answers for each that carried one
    /// @param handshakes TLS handshakes; all 0 without TLS
    public record Connections(
            long attempted,
            long opened,
            long closedIdle,
            int concurrentMax,
            Spread connectMillis,
            Spread lifeMillis,
            double repliesEach,
            Handshakes handshakes) {}

    /// @param millis how long one took
    public record Handshakes(long full, long resumed, long failed, Spread millis) {}

    /// @param count sent, those made again too
    /// @param retried of them, made again
    /// @param bytes of all, as they were sent
    public record Requests(long count, long retried, long bytes) {}

    /// @param count whole answers, of any status
    /// @param statuses of which status how many
    /// @param headBytes of all heads
    /// @param contentBytes of all contents, without their chunks' framing
    /// @param footerBytes of all trailer sections
    /// @param responseMillis from a request's first byte to its answer's first
    /// @param transferMillis from an answer's first byte to its last
    public record Replies(
            long count,
            Map<Integer, Long> statuses,
            long headBytes,
            long contentBytes,
            long footerBytes,
            Spread responseMillis,
            Spread transferMillis) {

        /// @param hundreds 1 to 5
        public long ofClass(int hundreds) {
            long sum = 0;
            for (var entry : statuses.entrySet()) {
                sum += entry.getKey() / 100 == hundreds ? entry.getValue() : 0;
            }
            return sum;
        }
    }

    /// @param began those that began
    /// @param completed to their end, without a call that failed for good
    /// @param unfinished still under way when the run was cut
    /// @param lifeSeconds how long completed ones took
    /// @param failSeconds how long failed ones took
    /// @param connectionsEach connections for each completed one
    /// @param lengths how many sessions, completed or failed, got 0, 1, 2 … answers; the
    ///     last counts those of more, too
    public record Sessions(
            long began,
            long completed,
            long failed,
            long unfinished,
            Spread lifeSeconds,
            Spread failSeconds,
            double connectionsEach,
            List<Long> lengths) {}

    /// @param errors calls of it that failed for good
    public record Page(long replies, long errors, Latency measured) {}

    /// @param second from the warm-up's end, from 0
    /// @param connections opened
    /// @param sessionsBegan sessions that began
    /// @param p50Millis the median of [#measured()] in this second; 0 without replies
    /// @param bytes of answers
    public record Second(
            int second,
            long connections,
            long replies,
            long errors,
            long sessionsBegan,
            long sessionsCompleted,
            long sessionsFailed,
            double p50Millis,
            double p99Millis,
            double mostMillis,
            long bytes) {}

    /// What the generator itself had to do.
    ///
    /// @param userSeconds CPU that this process used, JIT and garbage collector included
    /// @param systemSeconds the same, in the kernel
    /// @param busyShare how much of the time the busiest thread did not wait for anything, 0 to
    ///     1
    /// @param lagMillis how late requests went out that were due at a time
    /// @param warnings why the figures may not be the server's; empty if there is no reason
    public record Generator(
            double userSeconds,
            double systemSeconds,
            double busyShare,
            Latency lagMillis,
            List<String> warnings) {}

    /// All errors but those of status.
    public long errorCount() {
        long sum = 0;
        for (var entry : errors.entrySet()) {
            sum += entry.getKey() == Outcome.BAD_STATUS ? 0 : entry.getValue();
        }
        return sum;
    }

    public long errorCount(Outcome outcome) {
        return errors.getOrDefault(outcome, 0L);
    }

    /// @throws IllegalArgumentException if nothing was asked for by that name
    public Page page(String name) {
        Page page = pages.get(name);
        if (page == null) {
            throw new IllegalArgumentException("no page " + name + ", only " + pages.keySet());
        }
        return page;
    }

    public double repliesPerSecond() {
        return replies.count / seconds;
    }

    public double sessionsPerSecond() {
        return sessions.completed / seconds;
    }

    /// For people, within 100 columns.
    public String text() {
        return TextReport.of(this);
    }

    /// As plain maps, lists, text and numbers, for JSON; names say their units.
    public Map<String, Object> figures() {
        return Figures.of(this);
    }

    /// Whether the generator says that it, and not the server, may have set the figures.
    public boolean isDoubtful() {
        return !generator.warnings.isEmpty();
    }
}
