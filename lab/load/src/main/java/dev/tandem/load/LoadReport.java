package dev.tandem.load;

import java.util.List;
import java.util.Map;

/// The results of a load. All of them are of the time after the warm-up.
///
/// @param workload its name
/// @param seconds from the warm-up's end to the end of the last session that counts
/// @param measured times from a request's first byte to the last byte of its response
/// @param corrected the same from when the request was scheduled: a user of an open loop that
///     arrives while the server, or this generator, is behind has waited, too. Connection times are
///     included
/// @param errors calls that failed for good or were repeated, by outcome; without [Outcome#OK]
/// @param pages by [Call#page()]
/// @param series the events of each second
public record LoadReport(
        String workload,
        double seconds,
        Connections connections,
        Http2Events http2,
        Requests requests,
        Replies replies,
        Sessions sessions,
        Latency measured,
        Latency corrected,
        Map<Outcome, Long> errors,
        Map<String, Page> pages,
        List<Second> series,
        Generator generator) {

    /// @param attempted connections that were begun, successfully or not
    /// @param opened connections that were established
    /// @param closedIdle closed by the server while the user had nothing under way
    /// @param concurrentMax the maximum at the same time
    /// @param connectMillis how long it took to establish them
    /// @param lifeMillis how long those lived that carried a response
    /// @param repliesEach responses for each that carried one
    /// @param phases how long a connection was in each of its phases, in the mean
    /// @param handshakes TLS handshakes; all 0 without TLS
    public record Connections(
            long attempted,
            long opened,
            long closedIdle,
            int concurrentMax,
            Spread connectMillis,
            Spread lifeMillis,
            double repliesEach,
            Phases phases,
            Handshakes handshakes) {}

    /// Mean times of a connection over HTTP/1, in milliseconds: the time of all in a phase, divided
    /// by the number of those begun. Those that ended in a phase, by a time-out or a reset, count
    /// with the time that they were in it. All 0 over HTTP/2.
    ///
    /// @param connecting until TCP has connected
    /// @param handshaking from then on until TLS is established
    /// @param waiting from requests to the first bytes of their responses
    /// @param receiving from those to the last bytes
    /// @param idle the rest: users think, or have no request for it
    public record Phases(
            double connecting, double handshaking, double waiting, double receiving, double idle) {
        static final Phases NONE = new Phases(0, 0, 0, 0, 0);
    }

    /// @param millis the duration of one
    public record Handshakes(long full, long resumed, long failed, Spread millis) {}

    /// What servers did to HTTP/2 streams and connections; all 0 over HTTP/1.
    ///
    /// @param refused streams that were refused before any processing (REFUSED_STREAM)
    /// @param reset streams that were reset for another reason
    /// @param goAways GOAWAY frames; a server that stops sends two
    /// @param errors connections that ended by an error of HTTP/2: announced by the server, or in
    ///     what it sent
    /// @param repeated requests that were sent again because the server had not processed them:
    ///     refused ones, if the client repeats those, and those above the last stream of a GOAWAY
    public record Http2Events(long refused, long reset, long goAways, long errors, long repeated) {

        boolean isEmpty() {
            return refused + reset + goAways + errors + repeated == 0;
        }
    }

    /// @param count sent, including repeated ones
    /// @param retried those that were repeated
    /// @param bytes of all, as they were sent
    public record Requests(long count, long retried, long bytes) {}

    /// @param count complete responses, of any status
    /// @param statuses the number of responses by status
    /// @param headBytes of all heads; over HTTP/2 of all frames without their content
    /// @param contentBytes of all contents, without their chunks' framing
    /// @param footerBytes of all trailer sections; over HTTP/2 they are in `headBytes`
    /// @param responseMillis from a request's first byte to the first byte of its response
    /// @param transferMillis from the first byte of a response to its last
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

    /// @param began sessions that started
    /// @param completed to their end, without a call that failed for good
    /// @param unfinished still under way when the run was ended
    /// @param lifeSeconds the duration of completed ones
    /// @param failSeconds the duration of failed ones
    /// @param connectionsEach connections for each completed one
    /// @param lengths the number of sessions, completed or failed, with 0, 1, 2 … responses; the
    ///     last element counts those with more, too
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
    /// @param sessionsBegan sessions that started
    /// @param p50Millis the median of [#measured()] in this second; 0 without responses
    /// @param bytes of responses
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

    /// The work of the generator itself.
    ///
    /// @param userSeconds CPU that this process used, JIT and garbage collector included
    /// @param systemSeconds the same, in the kernel
    /// @param busyShare the share of the time that the busiest thread did not wait, 0 to 1
    /// @param lagMillis how late scheduled requests were sent
    /// @param warnings why the figures may not be the server's; empty if there is no reason
    public record Generator(
            double userSeconds,
            double systemSeconds,
            double busyShare,
            Latency lagMillis,
            List<String> warnings) {}

    /// The number of all errors except those of status.
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

    /// @throws IllegalArgumentException if there was no call by that name
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

    /// Returns the report for people, within 100 columns.
    public String text() {
        return TextReport.of(this);
    }

    /// Returns plain maps, lists, text and numbers, for JSON; names contain their units.
    public Map<String, Object> figures() {
        return Figures.of(this);
    }

    /// Whether the generator warns that it, and not the server, may have determined the figures.
    public boolean isDoubtful() {
        return !generator.warnings.isEmpty();
    }
}
