package dev.tandem.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// I/O contexts for threads that are not workers and send or read a little: threads of an
/// application that continues an exchange by itself. Safe for use by any thread.
public final class SpareContexts {
    /// Maximum number of unused ones: 16, some 100 KiB each.
    private static final int KEPT_MAX = 16;

    private final ConcurrentLinkedQueue<IoContext> contexts = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    public IoContext borrow() {
        IoContext kept = contexts.poll();
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
            contexts.add(context);
        } else {
            count.decrementAndGet();
        }
    }
}
