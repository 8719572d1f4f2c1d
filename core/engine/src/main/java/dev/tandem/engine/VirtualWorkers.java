package dev.tandem.engine;

import dev.tandem.engine.WorkerPool.Task;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs each task on a virtual thread of its own. Admission decides how many run at once, as with
/// workers; contexts are kept for the largest number that ever ran at once. Safe for use by any
/// thread.
public final class VirtualWorkers {
    /// 0.1 s after a failure, which may last: without direct memory, the JDK collects all garbage
    /// before each one.
    private static final long PAUSE_NANOS = 100_000_000;

    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    /// The last returned one is used first: its buffers are in the processor's cache.
    private final ConcurrentLinkedDeque<IoContext> spare = new ConcurrentLinkedDeque<>();

    private final Supplier<IoContext> makes;
    private volatile boolean isStopped;

    VirtualWorkers(Supplier<IoContext> makes) {
        this.makes = makes;
    }

    /// Runs the task, once it is stopped on an interrupted thread; see [WorkerPool#stop()].
    void submit(Task task) {
        Thread.ofVirtual().name("tandem-run").start(new Run(task));
    }

    /// What a thread does: its task, as soon as there is memory for it. A task that was not run
    /// would keep its connection and its permit for ever.
    private final class Run implements Runnable {
        private final Task task;
        private @Nullable IoContext context;
        private boolean hasBegun;

        Run(Task task) {
            this.task = task;
        }

        @Override
        public void run() {
            Thread self = Thread.currentThread();
            try {
                while (!hasBegun) {
                    tryRun(self);
                }
            } finally {
                end(self);
            }
        }

        private void end(Thread self) {
            IoContext used = context;
            try {
                if (used != null) {
                    spare.addFirst(used);
                }
            } finally {
                running.remove(self);
            }
        }

        private void tryRun(Thread self) {
            try {
                running.add(self);
                if (isStopped) {
                    self.interrupt(); // it may have started after the others were interrupted
                }
                IoContext taken = context == null ? spare.pollFirst() : context;
                IoContext mine = taken == null ? makes.get() : taken;
                context = mine;
                mine.during(
                        () -> {
                            hasBegun = true;
                            task.run(mine);
                        });
            } catch (Throwable e) {
                Log.failure("a run failed", e);
                if (!hasBegun) {
                    pause();
                }
            }
        }

        private void pause() {
            boolean _ = Thread.interrupted(); // is set again
            try {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            } catch (Throwable e) {
                // To be woken takes memory, too.
            }
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
