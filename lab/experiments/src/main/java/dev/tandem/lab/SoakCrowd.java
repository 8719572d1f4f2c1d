package dev.tandem.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Clients of all kinds that visit one server at the same time, again and again.
final class SoakCrowd {
    private static final int THREADS_PER_KIND = 3;

    /// Between two visits of one client: it leaves the server a share of a small machine.
    private static final int PAUSE_MILLIS = 2;

    private static final int FAILURES_SHOWN = 10;

    private final int port;
    private final Map<String, Tally> tallies = new LinkedHashMap<>();

    /// Of the next client: no two do the same, and each soak does the same as the last.
    private long seed;

    /// Guarded by itself.
    private final List<String> failures = new ArrayList<>();

    /// What became of one kind's visits.
    ///
    /// @param visits all of them
    /// @param failed those that were answered wrongly or not at all
    private record Tally(SoakVisit visit, AtomicLong visits, AtomicLong failed) {}

    SoakCrowd(int port, Map<String, SoakVisit> kinds) {
        this.port = port;
        kinds.forEach(
                (name, visit) ->
                        tallies.put(name, new Tally(visit, new AtomicLong(), new AtomicLong())));
    }

    /// Visits for so long, then waits for the visits under way.
    void visit(int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        var threads = new ArrayList<Thread>();
        for (var kind : tallies.entrySet()) {
            for (int i = 0; i < THREADS_PER_KIND; i++) {
                var random = new Random(seed++);
                threads.add(
                        Thread.ofPlatform()
                                .name("lab-" + kind.getKey())
                                .daemon()
                                .start(() -> visitUntil(end, kind.getKey(), random)));
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

    private void visitUntil(long endNanos, String kind, Random random) {
        Tally tally = tallies.get(kind);
        try {
            while (tally != null && System.nanoTime() - endNanos < 0) {
                visitOnce(tally, kind, random);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            // Sent home.
        }
    }

    private void visitOnce(Tally tally, String kind, Random random) throws InterruptedException {
        tally.visits.incrementAndGet();
        try {
            tally.visit.pay(port, random);
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

    long visits() {
        return tallies.values().stream().mapToLong(tally -> tally.visits.get()).sum();
    }

    long failed() {
        return tallies.values().stream().mapToLong(tally -> tally.failed.get()).sum();
    }

    /// The first few.
    List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    Table table() {
        var table = new Table("clients", "visits", "failed");
        tallies.forEach(
                (name, tally) ->
                        table.row(
                                name,
                                Figures.show(tally.visits.get(), 0),
                                Figures.show(tally.failed.get(), 0)));
        return table;
    }
}
