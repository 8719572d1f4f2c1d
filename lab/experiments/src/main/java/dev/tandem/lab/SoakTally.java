package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Results of one kind of client. Safe for use by any thread.
final class SoakTally {
    private static final int KEPT_MAX = 20;

    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /// Guarded by itself.
    private final List<String> failures = new ArrayList<>();

    private final long began = System.nanoTime();

    void good() {
        runs.incrementAndGet();
    }

    void failed(Exception e) {
        runs.incrementAndGet();
        failed.incrementAndGet();
        synchronized (failures) {
            if (failures.size() < KEPT_MAX) {
                double seconds = (System.nanoTime() - began) / 1e9;
                failures.add(Figures.show(seconds, 1) + " s: " + e.getMessage());
            }
        }
    }

    long runs() {
        return runs.get();
    }

    long failed() {
        return failed.get();
    }

    /// The first few failures, with their times.
    List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }
}
