package dev.tandem.load;

import dev.tandem.net.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A running load. Safe for use by any thread.
public final class LoadRun implements AutoCloseable {
    /// The length of a run without end in time: longer than any.
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

    private final Load load;
    private final Workload workload;
    private final ConnectionSlots slots;
    private final Series series;
    private final AtomicLong sessionNumbers = new AtomicLong();
    private final long warmupNanos;
    private final long timeNanos;
    private final long drainNanos;

    /// Set before any thread starts.
    private long beginNanos;

    private final List<LoadThread> loadThreads = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();
    private final AtomicReference<@Nullable OwnCpu> cpuBefore = new AtomicReference<>();
    private volatile boolean isStopped;
    private volatile @Nullable OwnCpu cpuAfter;

    private LoadRun(Load load, Workload workload) {
        this.load = load;
        this.workload = workload;
        this.slots = new ConnectionSlots(slotsMax(load));
        this.series = new Series(load.threads());
        this.warmupNanos = load.warmup().toNanos();
        boolean isTimed = load.time().isPositive();
        this.timeNanos = isTimed ? load.time().toNanos() : FOREVER_NANOS;
        boolean isOpen = load.arrivals() instanceof Arrivals.Open;
        this.drainNanos = isOpen && isTimed ? load.drain().toNanos() : 0;
    }

    private static int slotsMax(Load load) {
        int allowed = ConnectionSlots.descriptorLimit();
        return load.connectionsMax() == 0 ? allowed : Math.min(allowed, load.connectionsMax());
    }

    static LoadRun start(Load load, Workload workload) throws LoadException {
        check(load);
        var run = new LoadRun(load, workload);
        try {
            Network network = Network.best();
            for (int i = 0; i < load.threads(); i++) {
                run.loadThreads.add(new LoadThread(run, network, i));
            }
        } catch (IOException e) {
            throw new LoadException("cannot start: " + e.getMessage(), e);
        }
        run.beginNanos = System.nanoTime();
        for (LoadThread loadThread : run.loadThreads) {
            var thread = new Thread(loadThread, "load-" + run.threads.size());
            thread.setDaemon(true);
            run.threads.add(thread);
            thread.start();
        }
        return run;
    }

    private static void check(Load load) {
        if (!load.target().isLoopback() && !load.isOwnTarget()) {
            throw new IllegalArgumentException(
                    load.target().host()
                            + " is not this machine: only load servers that are yours to load, and"
                            + " say so (--i-may-load-it, Load.withOwnTarget)");
        }
        boolean isEndless = load.arrivals().sessionsMax() == Arrivals.ENDLESS;
        if (isEndless && !load.time().isPositive()) {
            throw new IllegalArgumentException(
                    "the load has no end: give it a time or a number of sessions");
        }
        if (load.time().isPositive() && load.warmup().compareTo(load.time()) >= 0) {
            throw new IllegalArgumentException(
                    "warmup must be shorter than time, was %s of %s"
                            .formatted(load.warmup(), load.time()));
        }
        Client client = load.client();
        boolean isHttp2 = client.version() == Client.Version.HTTP_2;
        if (isHttp2 && load.transcript() != null) {
            throw new IllegalArgumentException("a transcript is of HTTP/1, not of HTTP/2");
        }
        boolean isShared = isHttp2 && client.http2().isShared();
        if (load.arrivals() instanceof Arrivals.Closed(int users, var _)
                && !isShared
                && users > ConnectionSlots.descriptorLimit()) {
            throw new IllegalArgumentException(
                    "%d users need as many descriptors, and this process may have %d for them:"
                                    .formatted(users, ConnectionSlots.descriptorLimit())
                            + " raise the limit (ulimit -n) or load with fewer");
        }
    }

    /// The state of the run so far.
    ///
    /// @param seconds since the start
    /// @param replies since the warm-up's end, as are errors and sessions
    /// @param active sessions under way
    public record Progress(
            double seconds, long replies, long errors, long sessionsCompleted, long active) {}

    public Progress progress() {
        long replies = 0;
        long errors = 0;
        long completed = 0;
        long active = 0;
        for (LoadThread thread : loadThreads) {
            LoadThread.ThreadProgress progress = thread.progress;
            replies += progress.replies();
            errors += progress.errors();
            completed += progress.sessionsCompleted();
            active += progress.active();
        }
        double seconds = (System.nanoTime() - beginNanos) / 1e9;
        return new Progress(seconds, replies, errors, completed, active);
    }

    /// Waits for the end.
    ///
    /// @throws LoadException if the workload or the generator failed
    public LoadReport await() throws LoadException, InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable cause = failure.get();
        if (cause != null) {
            throw new LoadException(workload.name() + " could not be run: " + cause, cause);
        }
        if (cpuAfter == null) {
            cpuAfter = OwnCpu.now();
        }
        return new ReportBuilder(this).build();
    }

    /// Ends the run soon: sessions under way are ended, and [#await()] returns the results so far.
    public void stop() {
        isStopped = true;
        loadThreads.forEach(LoadThread::wakeup);
    }

    /// Stops and waits for the threads to end, at most 10 s.
    @Override
    public void close() {
        stop();
        try {
            for (Thread thread : threads) {
                thread.join(10_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- For load threads.

    Load load() {
        return load;
    }

    Workload workload() {
        return workload;
    }

    ConnectionSlots slots() {
        return slots;
    }

    Series series() {
        return series;
    }

    /// The counter of a closed loop's sessions.
    AtomicLong sessionNumbers() {
        return sessionNumbers;
    }

    long beginNanos() {
        return beginNanos;
    }

    /// When the warm-up ends.
    long warmNanos() {
        return beginNanos + warmupNanos;
    }

    /// The time after which no session starts.
    long lastNanos() {
        return beginNanos + timeNanos;
    }

    /// The time at which all sessions are ended.
    long endNanos() {
        return lastNanos() + drainNanos;
    }

    boolean isStopped() {
        return isStopped;
    }

    void warmed() {
        if (cpuBefore.get() == null) {
            cpuBefore.compareAndSet(null, OwnCpu.now());
        }
    }

    void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        stop();
    }

    /// Records what was wrong with a response; the first is reported.
    void recordFault(String what) {
        fault.compareAndSet(null, what);
    }

    // ---- For the report, at the end.

    List<LoadThread> loadThreads() {
        return loadThreads;
    }

    @Nullable String fault() {
        return fault.get();
    }

    OwnCpu cpu() {
        OwnCpu before = cpuBefore.get();
        OwnCpu after = cpuAfter;
        return before == null || after == null ? new OwnCpu(0, 0) : after.minus(before);
    }
}
