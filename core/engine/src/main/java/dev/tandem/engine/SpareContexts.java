package dev.tandem.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Contexts for threads that are no workers and send or read a little: those of an application that
/// goes on with an exchange by itself. Safe for use by any thread.
public final class SpareContexts {
    /// How many unused ones are kept: 16, some 100 KiB each.
    private static final int KEPT_MAX = 16;

    private final ConcurrentLinkedQueue<IoContext> kits = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    public IoContext borrow() {
        IoContext kept = kits.poll();
        if (kept == null) {
            return IoContext.ofWorker(IoContext.WORKER_BUFFER);
        }
        count.decrementAndGet();
        return kept;
    }

    public void giveBack(@Nullable IoContext context) {
        if (context == null) {
            return;
        }
        context.output().bytes().clear();
        if (count.incrementAndGet() <= KEPT_MAX) {
            kits.add(context);
        } else {
            count.decrementAndGet();
        }
    }
}
