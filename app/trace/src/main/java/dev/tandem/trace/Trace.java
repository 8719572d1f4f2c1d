package dev.tandem.trace;

import java.time.Instant;
import java.util.List;

/// What the threads of a server did for a while.
///
/// @param begin when it began, by the machine's clock
/// @param nanos how long it was
/// @param threads loops first, then workers, by number
public record Trace(Instant begin, long nanos, List<Thread> threads) {

    /// One thread.
    ///
    /// @param name such as `tandem-worker-3`
    /// @param stretches one after the other, none overlapping; there are none before it was
    ///     started and after it ended
    /// @param requests that ran on it, one after the other
    public record Thread(String name, List<Stretch> stretches, List<Request> requests) {
        /// Whether it is one of those that take turns at having a loop.
        public boolean isLoop() {
            return name.startsWith(ThreadFacts.LOOP);
        }
    }

    /// A time in one state.
    ///
    /// @param from nanoseconds since the trace began
    /// @param to behind `from`
    public record Stretch(long from, long to, State state) {}

    /// A request's run.
    ///
    /// @param from nanoseconds since the trace began: its handler began
    /// @param answered when its answer began; `to` if it never did
    /// @param to when all of its answer was sent, or left to the loop
    /// @param waited nanoseconds that it waited for its turn before
    /// @param route method and pattern
    /// @param status of its answer
    public record Request(
            long from, long answered, long to, long waited, String route, int status) {}

    /// The part of their time that threads spent in a state.
    ///
    /// @param ofLoops of the threads that have loops; else of workers
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
