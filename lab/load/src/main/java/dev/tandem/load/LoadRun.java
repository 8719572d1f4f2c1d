package dev.tandem.load;

import dev.tandem.net.Network;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A load that is being played. Safe for use by any thread.
public final class LoadRun implements AutoCloseable {
    /// A run without end in time: longer than any.
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 4;

    private final Load load;
    private final Workload workload;
    private final Places places;
    private final Series series;
    private final AtomicLong numbers = new AtomicLong();
    private final long warmupNanos;
    private final long timeNanos;
    private final long drainNanos;

    /// Set before any thread starts.
    private long beginNanos;

    private final List<Player> players = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();
    private final AtomicReference<@Nullable OwnCpu> cpuBefore = new AtomicReference<>();
    private volatile boolean isStopped;
    private volatile @Nullable OwnCpu cpuAfter;

    private LoadRun(Load load, Workload workload) {
        this.load = load;
        this.workload = workload;
        this.places = new Places(placesMax(load));
        this.series = new Series(load.threads());
        this.warmupNanos = load.warmup().toNanos();
        boolean isTimed = load.time().isPositive();
        this.timeNanos = isTimed ? load.time().toNanos() : FOREVER_NANOS;
        boolean isOpen = load.arrivals() instanceof Arrivals.Open;
        this.drainNanos = isOpen && isTimed ? load.drain().toNanos() : 0;
    }

    private static int placesMax(Load load) {
        int allowed = Places.allowed();
        return load.connectionsMax() == 0 ? allowed : Math.min(allowed, load.connectionsMax());
    }

    static LoadRun start(Load load, Workload workload) throws LoadException {
        check(load);
        var run = new LoadRun(load, workload);
        try {
            Network network = Network.best();
            for (int i = 0; i < load.threads(); i++) {
                run.players.add(new Player(run, network, i));
            }
        } catch (IOException e) {
            throw new LoadException("cannot start: " + e.getMessage(), e);
        }
        run.beginNanos = System.nanoTime();
        for (Player player : run.players) {
            var thread = new Thread(player, "load-" + run.threads.size());
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
        if (load.arrivals() instanceof Arrivals.Closed(int visitors, var _)
                && visitors > Places.allowed()) {
            throw new IllegalArgumentException(
                    "%d visitors need as many descriptors, and this process may have %d for them:"
                                    .formatted(visitors, Places.allowed())
                            + " raise the limit (ulimit -n) or load with fewer");
        }
    }

    /// What has happened so far.
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
        for (Player player : players) {
            Player.Told told = player.told;
            replies += told.replies();
            errors += told.errors();
            completed += told.sessionsCompleted();
            active += told.active();
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
            throw new LoadException(workload.name() + " could not be played: " + cause, cause);
        }
        if (cpuAfter == null) {
            cpuAfter = OwnCpu.now();
        }
        return new Reckoning(this).report();
    }

    /// Ends the run soon: what is under way is cut, and [#await()] returns what there is.
    public void stop() {
        isStopped = true;
        players.forEach(Player::wakeup);
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

    // ---- What players use.

    Load load() {
        return load;
    }

    Workload workload() {
        return workload;
    }

    Places places() {
        return places;
    }

    Series series() {
        return series;
    }

    /// The number of a closed loop's next session.
    AtomicLong numbers() {
        return numbers;
    }

    long beginNanos() {
        return beginNanos;
    }

    /// When the warm-up ends.
    long warmNanos() {
        return beginNanos + warmupNanos;
    }

    /// After this no session begins.
    long lastNanos() {
        return beginNanos + timeNanos;
    }

    /// At this everything is cut.
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

    /// Notes what was wrong with an answer; the first is told.
    void note(String what) {
        fault.compareAndSet(null, what);
    }

    // ---- What the reckoning uses, at the end.

    List<Player> players() {
        return players;
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
