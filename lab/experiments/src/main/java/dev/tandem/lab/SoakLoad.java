package dev.tandem.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Clients of all kinds that use one server at the same time, again and again.
final class SoakLoad {
    private static final int THREADS_PER_KIND = 3;

    /// Pause between two runs of one client: it leaves the server a share of a small machine.
    private static final int PAUSE_MILLIS = 2;

    private static final int FAILURES_SHOWN = 10;

    private final int port;
    private final Map<String, Tally> tallies = new LinkedHashMap<>();

    /// Seed of the next client: no two behave the same, and each soak behaves as the last.
    private long seed;

    /// Guarded by itself.
    private final List<String> failures = new ArrayList<>();

    /// Results of one kind of client.
    ///
    /// @param runs all of them
    /// @param failed runs with a wrong response or none
    private record Tally(SoakClient client, AtomicLong runs, AtomicLong failed) {}

    SoakLoad(int port, Map<String, SoakClient> kinds) {
        this.port = port;
        kinds.forEach(
                (name, client) ->
                        tallies.put(name, new Tally(client, new AtomicLong(), new AtomicLong())));
    }

    /// Runs the clients for a time, then waits for the runs in progress.
    void run(int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        var threads = new ArrayList<Thread>();
        for (var kind : tallies.entrySet()) {
            for (int i = 0; i < THREADS_PER_KIND; i++) {
                var random = new Random(seed++);
                threads.add(
                        Thread.ofPlatform()
                                .name("lab-" + kind.getKey())
                                .daemon()
                                .start(() -> runUntil(end, kind.getKey(), random)));
            }
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }

    private void runUntil(long endNanos, String kind, Random random) {
        Tally tally = tallies.get(kind);
        try {
            while (tally != null && System.nanoTime() - endNanos < 0) {
                visitOnce(tally, kind, random);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            // Interrupted: the soak is over.
        }
    }

    private void visitOnce(Tally tally, String kind, Random random) throws InterruptedException {
        tally.runs.incrementAndGet();
        try {
            tally.client.run(port, random);
        } catch (IOException e) {
            tally.failed.incrementAndGet();
            failed(kind + ": " + e.getMessage());
        }
    }

    private void failed(String what) {
        synchronized (failures) {
            if (failures.size() < FAILURES_SHOWN) {
                failures.add(what);
            }
        }
    }

    long runs() {
        return tallies.values().stream().mapToLong(tally -> tally.runs.get()).sum();
    }

    long failed() {
        return tallies.values().stream().mapToLong(tally -> tally.failed.get()).sum();
    }

    /// The first few failures.
    List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    Table table() {
        var table = new Table("clients", "runs", "failed");
        tallies.forEach(
                (name, tally) ->
                        table.row(
                                name,
                                Figures.show(tally.runs.get(), 0),
                                Figures.show(tally.failed.get(), 0)));
        return table;
    }
}
