package dev.tandem.server;

import org.jspecify.annotations.Nullable;

/// A thread that may have a loop. It has a kit of its own beside the loop's, since a handler that
/// it runs may outlast its having the loop.
final class LoopThread extends Thread implements ContextThread {
    private final IoContext kit;

    /// Of the route whose handler runs here; written by this thread, looked at by the watch.
    private @Nullable RouteTiming pace;

    LoopThread(Runnable task, String name, IoContext kit) {
        super(null, task, name, 0, false);
        setDaemon(false); // whoever recruits it: a loop keeps the process alive
        this.kit = kit;
    }

    @Override
    public void run() {
        var all = kit.engine().loopThreads();
        all.add(this);
        try {
            super.run();
        } finally {
            all.remove(this);
        }
    }

    @Override
    public IoContext kit() {
        return kit;
    }

    void runs(RouteTiming pace) {
        this.pace = pace;
    }

    /// The handler that runs here, or just did, cost this thread its loop.
    void relieved(boolean isWaiting) {
        RouteTiming running = pace;
        if (running != null) {
            running.relieved(isWaiting);
        }
    }
}
