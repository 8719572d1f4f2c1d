package dev.tandem.engine.manage;

import dev.tandem.engine.ContextThread;
import dev.tandem.engine.Engine;
import dev.tandem.engine.ResponsesEvent;
import dev.tandem.engine.RunningExchange;
import dev.tandem.engine.ThreadSeenEvent;
import dev.tandem.engine.ThreadTimeEvent;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteSeries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/// A recording of what each thread of a server does, by JDK Flight Recorder: all waits that the JVM
/// knows of, requests with their steps, and what the kernel counts. A server that is not recorded
/// pays for the read of a field.
///
/// Ended by [#stop] or [#close]. Safe for use by any thread.
public final class ThreadTrace implements AutoCloseable {
    /// Maximum length, 5 minutes: a forgotten recording ends by itself.
    public static final Duration LENGTH_MAX = Duration.ofMinutes(5);

    /// Maximum size on disk, in the temporary folder, 256 MiB: beyond that the oldest events are
    /// dropped.
    private static final long SIZE_MAX = 256L << 20;

    /// 10 us: shorter waits count as running.
    private static final Duration SHORTEST = Duration.ofNanos(10_000);

    /// 50 ms between two readings of the kernel's counts.
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final Path TASKS = Path.of("/proc/self/task");

    private static final List<String> WAITS =
            List.of(
                    "jdk.ThreadPark",
                    "jdk.JavaMonitorEnter",
                    "jdk.JavaMonitorWait",
                    "jdk.ThreadSleep",
                    "jdk.SocketRead",
                    "jdk.SocketWrite",
                    "jdk.FileRead",
                    "jdk.FileWrite",
                    "dev.tandem.LoopWait");

    private static final List<String> ALL =
            List.of(
                    "jdk.ThreadStart",
                    "jdk.ThreadEnd",
                    "dev.tandem.ThreadSeen",
                    "dev.tandem.ThreadTime",
                    "dev.tandem.Responses",
                    "dev.tandem.RequestRejected",
                    "dev.tandem.WorkersChanged",
                    "dev.tandem.AcceptGateChanged");

    private final Engine engine;
    private final Recording recording = new Recording();
    private final Thread sampler = new Thread(null, this::sample, "tandem-trace", 0, false);
    private volatile boolean isOver;

    private ThreadTrace(Engine engine) {
        this.engine = engine;
    }

    /// Starts a recording; takes a few hundred milliseconds for the first one of a process.
    public static ThreadTrace start(Engine engine) {
        var started = new ThreadTrace(engine);
        Recording recording = started.recording;
        recording.setName("tandem trace");
        recording.setToDisk(true);
        recording.setMaxSize(SIZE_MAX);
        recording.setDuration(LENGTH_MAX);
        WAITS.forEach(name -> recording.enable(name).withThreshold(SHORTEST).withoutStackTrace());
        ALL.forEach(name -> recording.enable(name).withoutStackTrace());
        recording.enable("dev.tandem.Request").withThreshold(Duration.ZERO);
        recording.start();
        new ResponsesEvent(started.responses(), false).commit();
        started.sampler.setDaemon(true);
        started.sampler.start();
        return started;
    }

    private void sample() {
        var times = new ThreadTimes(TASKS);
        long end = System.nanoTime() + LENGTH_MAX.toNanos();
        emit(false);
        while (!isOver && System.nanoTime() - end < 0) {
            times.read((thread, runs, ready) -> new ThreadTimeEvent(thread, runs, ready).commit());
            LockSupport.parkNanos(this, SAMPLE_NANOS);
        }
        times.read((thread, runs, ready) -> new ThreadTimeEvent(thread, runs, ready).commit());
        emit(true);
    }

    private void emit(boolean isLast) {
        engine.threads()
                .forEach(thread -> new ThreadSeenEvent(thread, state(thread), isLast).commit());
    }

    private long responses() {
        return engine.traffic().all().stream()
                .flatMap(RouteCounts::series)
                .filter(series -> series.status() != 503)
                .mapToLong(RouteSeries::count)
                .sum();
    }

    private String state(Thread thread) {
        RunningExchange x = thread instanceof ContextThread t ? t.context().running() : null;
        if (x == null) {
            return "IDLE";
        }
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING ->
                    engine.waits().has(x) ? "BLOCKED_IO" : "BLOCKED_SYNCH";
            default -> "RUNNING";
        };
    }

    /// Lets the JVM write the recording if the process ends first: a shutdown hook cannot, as
    /// Flight Recorder ends at the same time.
    ///
    /// @param file as in [#stop]
    /// @throws IOException if it cannot be written to
    public void writeAtExit(Path file) throws IOException {
        recording.setDestination(file);
        recording.setDumpOnExit(true);
    }

    /// Ends the recording and writes it; takes some hundred milliseconds.
    ///
    /// @param file for `tandem trace --read`, or JDK Mission Control; an existing one is
    ///     overwritten
    /// @throws IOException if it cannot be written, or the recording was ended before
    public synchronized void stop(Path file) throws IOException {
        if (isOver) {
            throw new IOException("the recording has ended already");
        }
        end();
        if (recording.getState() == RecordingState.CLOSED) {
            return; // its time was over: it was written to the file of [#writeAtExit]
        }
        try {
            recording.dump(file);
        } finally {
            recording.close();
        }
    }

    private void end() {
        new ResponsesEvent(responses(), true).commit();
        isOver = true;
        LockSupport.unpark(sampler);
        try {
            sampler.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the recording, if it has not ended, and drops it.
    @Override
    public synchronized void close() {
        if (!isOver) {
            end();
            recording.close();
        }
    }
}
