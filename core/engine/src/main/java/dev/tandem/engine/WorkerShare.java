package dev.tandem.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Runs tasks that must not wait for admission on a part of the workers at most: those beyond it
/// wait. Safe for use by any thread.
public final class WorkerShare {
    private final WorkerPool workers;
    private final int max;

    // ---- Guarded by this.

    private final Queue<WorkerPool.Task> waiting = new ArrayDeque<>();
    private int running;

    /// @param max how many run at once; 1 or more
    WorkerShare(WorkerPool workers, int max) {
        this.workers = workers;
        this.max = max;
    }

    /// Has a worker run the task. If this fails, as without memory, it is run with the next one, or
    /// not at all.
    public void submit(WorkerPool.Task task) {
        WorkerPool.Task next;
        synchronized (this) {
            waiting.add(task);
            if (running == max) {
                return;
            }
            running++;
            next = waiting.remove();
        }
        try {
            start(next);
        } catch (Throwable e) {
            synchronized (this) {
                running--;
            }
            throw e;
        }
    }

    private void start(WorkerPool.Task task) {
        workers.submit(context -> run(task, context));
    }

    /// Runs a task, and those that wait: what one leaves to its thread, such as an interruption, is
    /// no affair of the next one.
    private void run(WorkerPool.Task first, IoContext context) {
        for (WorkerPool.Task task = first; task != null; task = next()) {
            try {
                task.run(context);
            } catch (Throwable e) {
                Log.failure("a worker's task failed", e);
            }
            workers.forgetInterruption();
        }
    }

    private synchronized WorkerPool.@Nullable Task next() {
        WorkerPool.Task task = waiting.poll();
        if (task == null) {
            running--;
        }
        return task;
    }
}
