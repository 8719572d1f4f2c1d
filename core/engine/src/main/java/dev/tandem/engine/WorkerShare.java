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

    /// Has a worker run the task. If this fails, as without memory, the task is not run.
    public void submit(WorkerPool.Task task) {
        synchronized (this) {
            if (running == max) {
                waiting.add(task);
                return;
            }
            running++;
        }
        try {
            workers.submit(context -> runAll(task, context));
        } catch (Throwable e) {
            synchronized (this) {
                running--;
            }
            throw e;
        }
    }

    private void runAll(WorkerPool.Task first, IoContext context) {
        for (WorkerPool.Task task = first; task != null; task = next()) {
            try {
                task.run(context);
            } catch (Throwable e) {
                Log.failure("a worker's task failed", e);
            }
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
