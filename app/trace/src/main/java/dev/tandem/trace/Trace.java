package dev.tandem.trace;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The states of a server's threads over a time.
///
/// @param begin when it began, by the machine's clock
/// @param nanos its length
/// @param threads loops first, then workers, by number
/// @param onLoop number of responses without a request on a thread: those that were made on a loop,
///     of cached files and non-blocking handlers; 0 if the recording does not have it
public record Trace(Instant begin, long nanos, List<Thread> threads, long onLoop) {
    public Trace(Instant begin, long nanos, List<Thread> threads) {
        this(begin, nanos, threads, 0);
    }

    /// Returns a sentence on the responses that the trace does not have; empty if it has all.
    public Optional<String> aboutLoop() {
        return onLoop == 0
                ? Optional.empty()
                : Optional.of(
                        "%,d responses were made on the loop (cached files, non-blocking handlers):"
                                        .formatted(onLoop)
                                + " they take microseconds and are not among these requests.");
    }

    /// One thread.
    ///
    /// @param name such as `tandem-worker-3`
    /// @param stretches in order, without overlap; there are none before it was started and after
    ///     it ended
    /// @param requests that ran on it, in order
    public record Thread(String name, List<Stretch> stretches, List<Request> requests) {
        /// Whether it is one of the threads that run a loop alternately.
        public boolean isLoop() {
            return name.startsWith(ThreadFacts.LOOP);
        }
    }

    /// A time in one state.
    ///
    /// @param from nanoseconds since the trace began
    /// @param to behind `from`
    public record Stretch(long from, long to, State state) {}

    /// One request on a thread.
    ///
    /// @param from nanoseconds since the trace began: the start of its handler
    /// @param responded the start of its response; `to` if there was none
    /// @param to when its response was sent completely, or left to the loop
    /// @param waited nanoseconds that it was queued before
    /// @param route method and pattern
    /// @param protocol such as `HTTP/2.0`; empty in recordings of older versions
    /// @param streamId identifier of its stream in a connection of HTTP/2; 0 for HTTP/1
    /// @param status of its response
    public record Request(
            long from,
            long responded,
            long to,
            long waited,
            String route,
            String protocol,
            int streamId,
            int status) {}

    /// The share of their time that threads spent in a state.
    ///
    /// @param ofLoops true for threads that run loops; else workers
    /// @return 0 to 1; 0 if there is no such thread
    public double share(State state, boolean ofLoops) {
        long all = 0;
        long inState = 0;
        for (Thread thread : threads) {
            for (Stretch s : thread.isLoop() == ofLoops ? thread.stretches : List.<Stretch>of()) {
                all += s.to - s.from;
                inState += s.state == state ? s.to - s.from : 0;
            }
        }
        return all == 0 ? 0 : (double) inState / all;
    }
}
