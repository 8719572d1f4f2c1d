package dev.tandem.engine;

import dev.tandem.engine.WorkerPool.Task;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs each task on a virtual thread of its own. Admission decides how many run at once, as with
/// workers; contexts are kept for the largest number that ever ran at once. Safe for use by any
/// thread.
public final class VirtualWorkers {
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    /// The last returned one is used first: its buffers are in the processor's cache.
    private final ConcurrentLinkedDeque<IoContext> spare = new ConcurrentLinkedDeque<>();

    private final Supplier<IoContext> makes;
    private volatile boolean isStopped;

    VirtualWorkers(Supplier<IoContext> makes) {
        this.makes = makes;
    }

    /// Does nothing once it is stopped.
    void submit(Task task) {
        if (isStopped) {
            return;
        }
        Thread.ofVirtual().name("tandem-run").start(() -> run(task));
    }

    private void run(Task task) {
        Thread self = Thread.currentThread();
        running.add(self);
        if (isStopped) {
            self.interrupt(); // it may have started after the others were interrupted
        }
        IoContext kept = spare.pollFirst();
        IoContext context = kept == null ? makes.get() : kept;
        try {
            context.during(() -> task.run(context));
        } catch (Throwable e) {
            Log.LOG.log(Level.ERROR, "a run failed", e);
        } finally {
            spare.addFirst(context);
            running.remove(self);
        }
    }

    /// Returns the context of the task that this thread runs; null if it is no virtual worker.
    public static @Nullable IoContext current() {
        return Thread.currentThread().isVirtual() ? IoContext.current() : null;
    }

    List<Thread> threads() {
        return List.copyOf(running);
    }

    int count() {
        return running.size();
    }

    /// Interrupts what runs.
    void stop() {
        isStopped = true;
        running.forEach(Thread::interrupt);
    }
}
