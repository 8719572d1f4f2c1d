package dev.tandem.net;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads that take turns at having one loop: one has it, one stands by, and while handlers
/// that were taken for short ones block, there are more. Safe for use by any thread.
public final class LoopThreads {
    /// How many threads stand by; others end when their handler does.
    private static final int STANDING_BY_MAX = 1;

    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// After so many looks without a handler seen at work, the watch sleeps until one begins.
    private static final int QUIET_CHECKS = 200;

    private final Loop loop;
    private final ThreadFactory threads;
    private final TakeoverListener relieved;
    private final Object lock = new Object();
    private final List<Thread> standingBy = new ArrayList<>();
    private final List<Thread> liveThreads = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread watch;
    private volatile boolean isWatchdogAsleep;
    private volatile boolean isEnded;

    /// The handler, as the baton saw it, that no thread could be had to relieve.
    private volatile long failedTakeover;

    /// Told that the loop was taken from a thread whose handler was not short.
    @FunctionalInterface
    public interface TakeoverListener {
        /// @param holder the thread in the handler
        /// @param isWaiting whether it was seen waiting; one that was not computes, or waits in the
        ///     kernel
        void takenOver(Thread holder, boolean isWaiting);
    }

    /// @param threads makes the threads that may have the loop
    public LoopThreads(Loop loop, ThreadFactory threads, TakeoverListener relieved) {
        this.loop = loop;
        this.threads = threads;
        this.relieved = relieved;
        this.watch = new Thread(null, this::watch, "tandem-watch", 0, false);
        this.watch.setDaemon(true);
    }

    /// Starts the loop on a thread of its crew.
    public void start() {
        Thread first = newThread();
        loop.baton().attach(this, first);
        first.start();
        watch.start();
    }

    private Thread newThread() {
        return threads.newThread(this::serve);
    }

    /// Waits until the loop has ended, see [Loop#stop()].
    ///
    /// @return false if it has not in that time
    public boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        return end.await(time, unit);
    }

    /// The threads that there are: who has the loop, who stands by, and whose handler was not
    /// short.
    public List<Thread> liveThreads() {
        synchronized (lock) {
            return List.copyOf(liveThreads);
        }
    }

    /// What each thread of the crew does.
    private void serve() {
        synchronized (lock) {
            liveThreads.add(Thread.currentThread());
        }
        try {
            boolean isMember = awaitLoop();
            while (isMember) {
                if (loop.run()) {
                    end();
                    return;
                }
                isMember = standBy();
            }
        } finally {
            synchronized (lock) {
                liveThreads.remove(Thread.currentThread());
            }
        }
    }

    /// Waits for the loop.
    ///
    /// @return false if this thread is one too many
    private boolean standBy() {
        synchronized (lock) {
            if (isEnded || standingBy.size() >= STANDING_BY_MAX) {
                return false;
            }
            standingBy.add(Thread.currentThread());
        }
        return awaitLoop();
    }

    private boolean awaitLoop() {
        while (!loop.baton().isHeld()) {
            if (isEnded) {
                return false;
            }
            LockSupport.park(this);
            boolean _ = Thread.interrupted();
        }
        return true;
    }

    /// The loop is stopped: whoever stands by or is still in a handler goes, too.
    private void end() {
        isEnded = true;
        LockSupport.unpark(watch);
        synchronized (lock) {
            for (Thread member : liveThreads) {
                if (member != Thread.currentThread()) {
                    member.interrupt();
                }
            }
        }
        end.countDown();
    }

    /// Passes the loop on, unless its holder has come out of the handler in which it was seen, or
    /// there is no memory for another thread.
    void handOver(long seen) {
        Thread successor = successor(seen);
        if (successor != null) {
            if (loop.baton().tryTake(seen)) {
                giveLoopTo(successor);
            } else {
                returnToStandby(successor);
            }
        }
    }

    /// Someone who waits for the loop. Found before it is taken from whoever has it, since nobody
    /// would have it if then there were none.
    private @Nullable Thread successor(long seen) {
        synchronized (lock) {
            if (!standingBy.isEmpty()) {
                return standingBy.removeLast();
            }
        }
        try {
            Thread recruit = newThread();
            recruit.start();
            return recruit;
        } catch (OutOfMemoryError e) {
            if (seen != failedTakeover) {
                failedTakeover = seen; // the watch tries again every millisecond, and says it once
                Log.LOG.log(Level.ERROR, "no thread to take over an event loop: " + e.getMessage());
            }
            return null;
        }
    }

    private void giveLoopTo(Thread successor) {
        loop.baton().setHolder(successor);
        LockSupport.unpark(successor);
    }

    private void returnToStandby(Thread successor) {
        synchronized (lock) {
            standingBy.add(successor);
        }
    }

    /// A handler begins: someone must look whether it ends.
    void wakeWatchdog() {
        if (isWatchdogAsleep) {
            isWatchdogAsleep = false;
            LockSupport.unpark(watch);
        }
    }

    /// Looks every millisecond; a handler seen twice at the same work has been at it for that long,
    /// and loses the loop. That costs nothing but a change of threads, so it is done whether the
    /// handler waits or only computes; what it means for the route is the callee's to judge.
    private void watch() {
        long last = 0;
        int quiet = 0;
        while (!isEnded) {
            long now = loop.baton().sequence();
            if (now != last) {
                quiet = 0;
            } else if (Baton.isInHandler(now)) {
                takeOver(now);
            } else if (++quiet > QUIET_CHECKS) {
                quiet = 0;
                sleep(now);
            }
            last = now;
            LockSupport.parkNanos(this, CHECK_NANOS);
        }
    }

    private void takeOver(long seen) {
        Thread holder = loop.baton().holder();
        Thread successor = successor(seen);
        if (successor == null) {
            return;
        }
        if (holder != null && loop.baton().tryTake(seen)) {
            // Before it is given on: until then the holder stays in this handler or at its end.
            relieved.takenOver(holder, isWaiting(holder));
            giveLoopTo(successor);
        } else {
            returnToStandby(successor);
        }
    }

    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    private void sleep(long seen) {
        isWatchdogAsleep = true;
        while (isWatchdogAsleep && !isEnded && loop.baton().sequence() == seen) {
            LockSupport.park(this);
        }
        isWatchdogAsleep = false;
    }
}
