package dev.tandem.net;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The threads that take turns at having one loop: one has it, one stands by, and while handlers
/// that were taken for short ones block, there are more. Safe for use by any thread.
public final class Crew {
    /// How many threads stand by; others end when their handler does.
    private static final int STANDING_BY_MAX = 1;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// After so many looks without a handler seen at work, the watch sleeps until one begins.
    private static final int QUIET_LOOKS = 200;

    private final Loop loop;
    private final ThreadFactory threads;
    private final Blocked blocked;
    private final Object lock = new Object();
    private final List<Thread> standingBy = new ArrayList<>();
    private final List<Thread> members = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread watch;
    private volatile boolean isWatchAsleep;
    private volatile boolean isEnded;

    /// Told that the loop was taken from a thread whose handler blocked.
    @FunctionalInterface
    public interface Blocked {
        /// @param holder the thread in the handler
        void blocked(Thread holder);
    }

    /// @param threads makes the threads that may have the loop
    public Crew(Loop loop, ThreadFactory threads, Blocked blocked) {
        this.loop = loop;
        this.threads = threads;
        this.blocked = blocked;
        this.watch = new Thread(null, this::watch, "tandem-watch", 0, false);
        this.watch.setDaemon(true);
    }

    /// Starts the loop on a thread of its crew.
    public void start() {
        Thread first = recruit();
        loop.baton().crew(this, first);
        first.start();
        watch.start();
    }

    private Thread recruit() {
        Thread thread = threads.newThread(this::serve);
        synchronized (lock) {
            members.add(thread);
        }
        return thread;
    }

    /// Waits until the loop has ended, see [Loop#stop()].
    ///
    /// @return false if it has not in that time
    public boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        return end.await(time, unit);
    }

    /// What each thread of the crew does.
    private void serve() {
        try {
            boolean isMember = true;
            while (isMember) {
                if (loop.run()) {
                    end();
                    return;
                }
                isMember = standBy();
            }
        } finally {
            synchronized (lock) {
                members.remove(Thread.currentThread());
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
            for (Thread member : members) {
                if (member != Thread.currentThread()) {
                    member.interrupt();
                }
            }
        }
        end.countDown();
    }

    /// Gives the loop, which was just taken from a thread, to another.
    void passOn() {
        Thread successor = null;
        synchronized (lock) {
            if (!standingBy.isEmpty()) {
                successor = standingBy.removeLast();
            }
        }
        if (successor == null) {
            successor = recruit();
            loop.baton().giveTo(successor);
            successor.start();
        } else {
            loop.baton().giveTo(successor);
            LockSupport.unpark(successor);
        }
    }

    /// A handler begins: someone must look whether it ends.
    void wakeWatch() {
        if (isWatchAsleep) {
            isWatchAsleep = false;
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
            long now = loop.baton().seen();
            if (now != last) {
                quiet = 0;
            } else if (Baton.isInHandler(now)) {
                relieve(now);
            } else if (++quiet > QUIET_LOOKS) {
                quiet = 0;
                sleep(now);
            }
            last = now;
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void relieve(long seen) {
        Thread holder = loop.baton().holder();
        if (holder != null && loop.baton().take(seen)) {
            boolean isWaiting = isWaiting(holder);
            passOn();
            if (isWaiting) {
                blocked.blocked(holder);
            }
        }
    }

    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    private void sleep(long seen) {
        isWatchAsleep = true;
        while (isWatchAsleep && !isEnded && loop.baton().seen() == seen) {
            LockSupport.park(this);
        }
        isWatchAsleep = false;
    }
}
