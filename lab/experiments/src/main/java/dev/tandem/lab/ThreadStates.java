package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// What the threads of a server do, as the kernel sees them, and so of any server: how many of them
/// run, are ready, or are blocked, in the mean. Figure 3.23 of Beltran's thesis (2008) has the same
/// states. Threads of the JVM itself do not count.
///
/// The kernel counts the time that each thread ran and was ready; whether a blocked one waits in
/// input and output, or for another thread, is sampled.
final class ThreadStates {
    static final String RUNNING = "threads running";
    static final String READY = "threads ready";

    /// Running or ready.
    static final String RUNNABLE = "threads runnable";

    static final String BLOCKED = "threads blocked in input or output";

    /// Blocked by a lock, without work, or asleep.
    static final String WAITING = "threads waiting for others";

    /// Least pause between two looks.
    private static final long PAUSE_MILLIS_MIN = 200;

    /// A look reads two files for each thread, which took 24 ms for 1,000 threads. For that many
    /// times as long there is none, so that it takes at most 2 % of the generator's processor,
    /// however many threads a server has.
    private static final long PAUSE_OF_LOOK = 49;

    /// Beginnings of the names of a JVM's own threads: compilers, collectors, and such. The first
    /// thread waits for the JVM's end.
    private static final List<String> OF_JVM =
            List.of(
                    "java",
                    "GC Thread",
                    "G1 ",
                    "VM ",
                    "C1 ",
                    "C2 ",
                    "Reference Handl",
                    "Finalizer",
                    "Signal Dispatch",
                    "Service Thread",
                    "Monitor Deflati",
                    "Common-Cleaner",
                    "Training replay",
                    "Notification Th",
                    "Attach Listener",
                    "process reaper");

    private final ProcessHandle process;
    private final long delayMillis;
    private final Thread sampler = new Thread(null, this::sample, "thread-states", 0, false);

    // Of the sampler; others read them after its end.
    private final Map<Path, Times> first = new HashMap<>();
    private long beganNanos;
    private long samples;
    private long blocked;
    private long waiting;

    private volatile boolean isOver;

    /// Of a thread, since its start.
    ///
    /// @param runNanos how long it ran
    /// @param readyNanos how long it was ready, and another ran
    record Times(long runNanos, long readyNanos) {
        private static final Times NONE = new Times(0, 0);

        /// @param schedstat the text of `/proc/PID/task/TID/schedstat`
        static Times of(String schedstat) {
            String[] fields = schedstat.strip().split(" ");
            return fields.length < 2
                    ? NONE
                    : new Times(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        }
    }

    /// What a thread does that neither runs nor is ready.
    enum Rest {
        NONE,
        BLOCKED,
        WAITING;

        /// @param wchan the text of `/proc/PID/task/TID/wchan`: the function of the kernel in which
        ///     it sleeps
        static Rest of(String wchan) {
            if (wchan.isEmpty() || wchan.equals("0")) {
                return NONE;
            }
            boolean isForOthers = wchan.contains("futex") || wchan.contains("nanosleep");
            return isForOthers ? WAITING : BLOCKED;
        }
    }

    private ThreadStates(ProcessHandle process, long delayMillis) {
        this.process = process;
        this.delayMillis = delayMillis;
    }

    /// What is measured while threads are watched.
    @FunctionalInterface
    interface Measurement {
        Reading measure() throws LabException, InterruptedException;
    }

    /// Measures, and adds what the threads of a process and its descendants do meanwhile.
    ///
    /// @param delaySeconds until the first look
    static Reading during(ProcessHandle process, double delaySeconds, Measurement measurement)
            throws LabException, InterruptedException {
        ThreadStates states = of(process, delaySeconds);
        Reading reading;
        Map<String, Double> threads;
        try {
            reading = measurement.measure();
        } finally {
            threads = states.end();
        }
        var figures = new LinkedHashMap<>(reading.figures());
        figures.putAll(threads);
        return new Reading(figures, reading.generatorShare());
    }

    /// Begins to watch a process and its descendants.
    ///
    /// @param delaySeconds until the first look
    static ThreadStates of(ProcessHandle process, double delaySeconds) {
        var states = new ThreadStates(process, Math.round(1e3 * delaySeconds));
        states.sampler.setDaemon(true);
        states.sampler.start();
        return states;
    }

    /// Ends it.
    ///
    /// @return numbers of threads, by their names above; empty if there was no look
    Map<String, Double> end() throws InterruptedException {
        isOver = true;
        sampler.interrupt();
        sampler.join(TimeUnit.SECONDS.toMillis(5));
        var figures = new LinkedHashMap<String, Double>();
        if (sampler.isAlive() || samples == 0) {
            return figures;
        }
        double nanos = System.nanoTime() - beganNanos;
        var last = new HashMap<Path, Times>();
        readTimes(last);
        double run = 0;
        double ready = 0;
        for (var thread : last.entrySet()) {
            Times before = first.getOrDefault(thread.getKey(), Times.NONE);
            run += thread.getValue().runNanos - before.runNanos;
            ready += thread.getValue().readyNanos - before.readyNanos;
        }
        figures.put(RUNNING, run / nanos);
        figures.put(READY, ready / nanos);
        figures.put(RUNNABLE, (run + ready) / nanos);
        figures.put(BLOCKED, (double) blocked / samples);
        figures.put(WAITING, (double) waiting / samples);
        return figures;
    }

    private void sample() {
        try {
            Thread.sleep(delayMillis);
            readTimes(first);
            beganNanos = System.nanoTime();
            while (!isOver) {
                long begin = System.nanoTime();
                look();
                Thread.sleep(pauseMillis(System.nanoTime() - begin));
            }
        } catch (InterruptedException _) {
            // The measurement has ended.
        }
    }

    /// Returns how long there is no look after one that took so long.
    static long pauseMillis(long lookNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(PAUSE_OF_LOOK * lookNanos);
        return Math.max(PAUSE_MILLIS_MIN, millis);
    }

    private void look() {
        samples++;
        each(
                thread -> {
                    switch (Rest.of(read(thread.resolve("wchan")))) {
                        case BLOCKED -> blocked++;
                        case WAITING -> waiting++;
                        case NONE -> {
                            // The kernel counts these.
                        }
                    }
                });
    }

    private void readTimes(Map<Path, Times> times) {
        each(thread -> times.put(thread, Times.of(read(thread.resolve("schedstat")))));
    }

    /// A thread's folder in `/proc`.
    @FunctionalInterface
    private interface Look {
        void at(Path thread);
    }

    private void each(Look look) {
        each(process.pid(), look);
        process.descendants().forEach(child -> each(child.pid(), look));
    }

    private static void each(long pid, Look look) {
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                if (isOfServer(read(thread.resolve("comm")))) {
                    look.at(thread);
                }
            }
        } catch (IOException _) {
            // The process has ended.
        }
    }

    /// @param name of a thread, of which the kernel keeps 15 characters
    static boolean isOfServer(String name) {
        return !name.isEmpty() && OF_JVM.stream().noneMatch(name::startsWith);
    }

    /// Empty if the thread has ended.
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException _) {
            return "";
        }
    }
}
