package dev.tandem.engine;

import dev.tandem.admission.Admission;
import dev.tandem.engine.KernelThreads.Times;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reports to admission how much of the processors workers get and how long they wait for one,
/// while requests wait. Confined to the heartbeat's thread.
///
/// Reading takes some microseconds a worker, so of many workers it is done at fewer beats: a
/// quarter of a percent of a processor at most.
final class WorkerTimes {
    /// Number of workers that are read at a beat on average.
    private static final int READ_A_BEAT = 32;

    private final Supplier<List<Long>> workers;
    private final LongFunction<@Nullable Times> reader;

    /// The last values, by thread.
    private Map<Long, Times> before = Map.of();

    /// Sums of the differences between two readings of the same thread.
    private long running;

    private long ready;

    private int beatsToWait;

    /// @param workers the kernel's numbers of the threads that are not idle
    WorkerTimes(Supplier<List<Long>> workers, LongFunction<@Nullable Times> reader) {
        this.workers = workers;
        this.reader = reader;
    }

    /// Called at each beat, before the admission's tick.
    void sample(Admission admission, long now) {
        if (!admission.hasWaiting()) {
            before = Map.of();
            beatsToWait = 0;
            return;
        }
        if (beatsToWait > 0) {
            beatsToWait--;
            return;
        }
        List<Long> threads = workers.get();
        if (threads.isEmpty()) {
            return;
        }
        beatsToWait = threads.size() / READ_A_BEAT;
        read(threads);
        admission.reportProcessorTimes(running, ready, now);
    }

    /// Counts only threads that were read at the previous beat, too: differences of others may span
    /// a long time.
    private void read(List<Long> threads) {
        var now = new HashMap<Long, Times>();
        for (Long thread : threads) {
            Times times = reader.apply(thread);
            if (times != null) {
                now.put(thread, times);
                Times last = before.getOrDefault(thread, times);
                running += times.running() - last.running();
                ready += times.ready() - last.ready();
            }
        }
        before = now;
    }
}
