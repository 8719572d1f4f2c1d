package dev.tandem.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The data of a recording about one thread, not yet combined. Times are nanoseconds since the
/// trace began, and may be before its start or after its end.
final class ThreadFacts {
    static final String LOOP = "tandem-loop-";
    static final String WORKER = "tandem-worker-";

    final String name;

    /// When it was started and ended, as far as the recording has it.
    long started = Long.MIN_VALUE;

    long ended = Long.MAX_VALUE;

    /// Its states when the recording began and ended; null if they were not sampled.
    @Nullable State first;

    @Nullable State last;

    final List<Trace.Stretch> waits = new ArrayList<>();

    /// The requests by their start times.
    final TreeMap<Long, Trace.Request> requests = new TreeMap<>();

    /// The kernel's counts, one for each sample.
    final List<CpuSample> cpuSamples = new ArrayList<>();

    /// The counts since the thread's start.
    ///
    /// @param at the time of the sample
    /// @param running nanoseconds on a processor
    /// @param ready nanoseconds of waiting for a processor
    record CpuSample(long at, long running, long ready) {}

    ThreadFacts(String name) {
        this.name = name;
    }

    /// Whether a thread of that name runs requests.
    static boolean isOfServer(String name) {
        return name.startsWith(LOOP) || name.startsWith(WORKER);
    }

    /// Returns why the kernel blocked the thread then. No event covers a wait that began before the
    /// recording or did not end in it; then the sampled state is used.
    State blockedState(long at) {
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
