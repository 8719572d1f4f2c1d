package dev.tandem.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a recording says of one thread, not yet put together. Times are nanoseconds since the trace
/// began, and may be before it or behind its end.
final class ThreadFacts {
    static final String LOOP = "tandem-loop-";
    static final String WORKER = "tandem-worker-";

    final String name;

    /// When it was started and ended, as far as that was seen.
    long started = Long.MIN_VALUE;

    long ended = Long.MAX_VALUE;

    /// What it did when the recording began, and ended; null if unknown.
    @Nullable State first;

    @Nullable State last;

    final List<Trace.Stretch> waits = new ArrayList<>();

    /// By when they began.
    final TreeMap<Long, Trace.Request> requests = new TreeMap<>();

    /// What the kernel had counted, each time it was asked.
    final List<Use> uses = new ArrayList<>();

    /// Since the thread's start.
    ///
    /// @param at when it was asked
    /// @param running nanoseconds on a processor
    /// @param ready nanoseconds in wait of one
    record Use(long at, long running, long ready) {}

    ThreadFacts(String name) {
        this.name = name;
    }

    /// Whether a thread of that name runs requests.
    static boolean isOfServer(String name) {
        return name.startsWith(LOOP) || name.startsWith(WORKER);
    }

    /// Why the kernel held the thread then. What began before the recording, or did not end in it,
    /// no event reports; then it is the state in which the thread was sampled.
    State held(long at) {
        var before = requests.floorEntry(at);
        if (before != null && at < before.getValue().to()) {
            return State.BLOCKED_IO;
        }
        if (first != null && before == null && rests().noneMatch(rest -> rest.from() <= at)) {
            return blocked(first);
        }
        boolean isLast = requests.higherKey(at) == null;
        if (last != null && isLast && rests().noneMatch(rest -> rest.to() > at)) {
            return blocked(last);
        }
        return State.IDLE;
    }

    private static State blocked(State seen) {
        return seen == State.RUNNING ? State.BLOCKED_IO : seen;
    }

    private Stream<Trace.Stretch> rests() {
        return waits.stream().filter(wait -> wait.state() == State.IDLE);
    }
}
