package dev.tandem.engine;

import dev.tandem.engine.site.RouteTiming;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A thread that may hold a loop. It has an I/O context of its own in addition to the loop's, since
/// a handler that it runs may continue after the loop was taken from it.
public final class LoopThread extends Thread implements ContextThread {
    private final IoContext context;
    private final Set<Thread> all;

    /// Made before the thread starts: it must not fail then, since it may have been given a loop.
    private final Runnable body = super::run;

    /// Of the route whose handler runs here; written by this thread, read by the watchdog.
    private @Nullable RouteTiming timing;

    /// @param all the thread adds itself while it runs
    public LoopThread(Runnable task, String name, IoContext context, Set<Thread> all) {
        super(null, task, name, 0, false);
        setDaemon(false); // whatever thread starts it: a loop keeps the process alive
        this.context = context;
        this.all = all;
    }

    @Override
    public void run() {
        try {
            all.add(this);
        } catch (OutOfMemoryError e) {
            // Its times are not reported.
        }
        try {
            context.during(body);
        } finally {
            all.remove(this);
        }
    }

    @Override
    public IoContext context() {
        return context;
    }

    public void runs(RouteTiming timing) {
        this.timing = timing;
    }

    /// The watchdog took the loop from this thread, because of the handler that runs here, or just
    /// did.
    public void relieved(boolean isWaiting) {
        RouteTiming running = timing;
        if (running != null) {
            running.relieved(isWaiting);
        }
    }
}
