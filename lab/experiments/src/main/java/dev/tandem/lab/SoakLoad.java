package dev.tandem.lab;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Starts clients of all kinds at a constant rate, whether or not those before have ended: so the
/// load is the same in each hour, and a slow server is not spared. One thread starts them; any
/// thread may read.
final class SoakLoad implements AutoCloseable {
    /// Runs at a time. A server that is this far behind fails the soak.
    private static final int RUNS_MAX = 1_000;

    /// Longest time that runs may need to end.
    private static final int END_SECONDS_MAX = 40;

    private final List<String> names;
    private final List<SoakClient> clients;
    private final List<SoakTally> tallies;
    private final Semaphore free = new Semaphore(RUNS_MAX);
    private final long intervalNanos;
    private final Thread thread;

    /// Seed of the next run: no two behave the same, and each soak behaves as the last.
    private long seed;

    private volatile boolean isStopped;

    /// @param kinds each by its name
    /// @param tallies of these kinds
    /// @param rate runs in a second, of all kinds together
    SoakLoad(Map<String, SoakClient> kinds, SoakTallies tallies, double rate, long seed) {
        this.names = List.copyOf(kinds.keySet());
        this.clients = List.copyOf(kinds.values());
        this.tallies = names.stream().map(tallies::of).toList();
        this.intervalNanos = (long) (1e9 / rate);
        this.seed = seed;
        this.thread = Thread.ofPlatform().name("lab-soak").daemon().start(this::startAll);
    }

    private void startAll() {
        var order = new Random(seed);
        long due = System.nanoTime();
        while (!isStopped) {
            int kind = order.nextInt(names.size());
            var random = new Random(seed++);
            if (free.tryAcquire()) {
                Thread.ofVirtual().name("lab-" + names.get(kind)).start(() -> run(kind, random));
            } else {
                tallies.get(kind).failed(new IOException(RUNS_MAX + " runs have not ended"));
            }
            due += intervalNanos;
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    private void run(int kind, Random random) {
        try {
            clients.get(kind).run(random);
            tallies.get(kind).good();
        } catch (IOException e) {
            tallies.get(kind).failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            free.release();
        }
    }

    /// Starts no more, and waits for the runs in progress.
    ///
    /// @throws LabException if some do not end
    void stop() throws LabException, InterruptedException {
        isStopped = true;
        thread.join();
        if (!free.tryAcquire(RUNS_MAX, END_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new LabException(
                    (RUNS_MAX - free.availablePermits()) + " runs of clients do not end");
        }
        free.release(RUNS_MAX);
    }

    @Override
    public void close() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
