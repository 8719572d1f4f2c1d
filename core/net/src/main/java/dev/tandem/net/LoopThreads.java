package dev.tandem.net;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The threads of one loop: one holds the loop, one stands by, and there are more while handlers
/// that were expected to be short block. Thread-safe.
public final class LoopThreads {
    /// The number of standby threads; others end with their handler.
    private static final int STANDING_BY_MAX = 1;

    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// The number of checks without a takeover after which there are fewer of them: a check takes
    /// up to 45 us of a processor, most of it the kernel's, for its timer and two thread switches.
    private static final int CALM_CHECKS = 100;

    /// How many times as long the time between two checks is then.
    private static final int CALM_FACTOR = 3;

    /// The time without a running handler after which the watchdog sleeps until one begins, in
    /// times between two checks: 0.2 s.
    private static final int QUIET_CHECKS = 200;

    private final Loop loop;
    private final ThreadFactory threads;
    private final TakeoverListener relieved;
    private final long checkNanos;
    private final Object lock = new Object();
    private final List<Thread> standingBy = new ArrayList<>();
    private final List<Thread> liveThreads = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread watchdog;
    private volatile boolean isWatchdogAsleep;
    private volatile boolean isEnded;

    /// The baton's sequence number of a handler for which no successor thread could be created.
    private volatile long failedTakeover;

    /// Notified when the loop was taken over from a thread whose handler was not short.
    @FunctionalInterface
    public interface TakeoverListener {
        /// @param holder the thread that runs the handler
        /// @param isWaiting whether it was observed waiting; otherwise it computes, or waits in the
        ///     kernel
        void takenOver(Thread holder, boolean isWaiting);
    }

    /// @param threads creates the threads that may hold the loop
    public LoopThreads(Loop loop, ThreadFactory threads, TakeoverListener relieved) {
        this(loop, threads, relieved, CHECK_NANOS);
    }

    /// @param checkNanos the time between two checks of the running handler
    LoopThreads(Loop loop, ThreadFactory threads, TakeoverListener relieved, long checkNanos) {
        this.loop = loop;
        this.threads = threads;
        this.relieved = relieved;
        this.checkNanos = checkNanos;
        this.watchdog = new Thread(null, this::watchdog, "tandem-watchdog", 0, false);
        this.watchdog.setDaemon(true);
    }

    /// Starts the loop on one of its threads.
    public void start() {
        Thread first = newThread();
        loop.baton().attach(this, first);
        start(first);
        watchdog.start();
    }

    /// On the list before it runs: a thread that failed at its start, for lack of memory, could
    /// have been given the loop, which would then have no thread.
    private Thread newThread() {
        Thread thread = threads.newThread(this::serve);
        synchronized (lock) {
            liveThreads.add(thread);
        }
        return thread;
    }

    private void start(Thread thread) {
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                synchronized (lock) {
                    liveThreads.remove(thread);
                }
            }
        }
    }

    /// Waits until the loop has ended; see [Loop#stop()].
    ///
    /// @return false if it has not ended in that time
    public boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        return end.await(time, unit);
    }

    /// Returns the live threads: the holder of the loop, the standby thread, and those whose
    /// handler was not short.
    public List<Thread> liveThreads() {
        synchronized (lock) {
            return List.copyOf(liveThreads);
        }
    }

    /// The main method of each thread.
    private void serve() {
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
    /// @return false if this thread is not needed
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
        boolean _ = Thread.interrupted(); // left by the handler from which the loop was taken
        return true;
    }

    /// Ends the standby threads and interrupts running handlers after the loop has stopped.
    private void end() {
        isEnded = true;
        LockSupport.unpark(watchdog);
        synchronized (lock) {
            for (Thread member : liveThreads) {
                if (member != Thread.currentThread()) {
                    member.interrupt();
                }
            }
        }
        end.countDown();
    }

    /// Hands the loop over, unless the observed handler of its holder has ended, or there is no
    /// memory for another thread.
    void handOver(long sequence) {
        Thread successor = successor(sequence);
        if (successor != null) {
            if (loop.baton().tryTake(sequence)) {
                giveLoopTo(successor);
            } else {
                returnToStandby(successor);
            }
        }
    }

    /// Returns a thread that waits for the loop. It is created before the loop is taken from its
    /// holder, because otherwise the loop would have no thread if the creation failed.
    private @Nullable Thread successor(long sequence) {
        synchronized (lock) {
            if (!standingBy.isEmpty()) {
                return standingBy.removeLast();
            }
        }
        try {
            Thread recruit = newThread();
            start(recruit);
            return recruit;
        } catch (OutOfMemoryError e) {
            if (sequence != failedTakeover) {
                failedTakeover =
                        sequence; // the watchdog retries every millisecond, but logs it once
                logNoThread(e);
            }
            return null;
        }
    }

    private static void logNoThread(Throwable why) {
        try {
            Log.LOG.log(Level.ERROR, "no thread to take over an event loop: " + why.getMessage());
        } catch (Throwable e) {
            // It cannot be reported.
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

    /// Wakes the watchdog, because a handler begins.
    void wakeWatchdog() {
        if (isWatchdogAsleep) {
            isWatchdogAsleep = false;
            LockSupport.unpark(watchdog);
        }
    }

    /// Checks the handler every millisecond, or three where no loop was taken over for a while; if
    /// two successive checks find the same call, it has run for that long, and another thread takes
    /// over the loop. This costs only a thread switch, so it happens whether the handler waits or
    /// computes; the listener decides what it means for the route.
    private void watchdog() {
        while (!isEnded) {
            try {
                watch();
            } catch (Throwable e) {
                // Without it, a handler that blocks would keep the loop from all others for ever.
                logNoThread(e);
                LockSupport.parkNanos(this, checkNanos);
            }
        }
    }

    private void watch() {
        long last = 0;
        int quiet = 0;
        int calm = 0;
        while (!isEnded) {
            long now = loop.baton().sequence();
            int wait = ++calm < CALM_CHECKS ? 1 : CALM_FACTOR;
            if (now != last) {
                quiet = 0;
            } else if (Baton.isInHandler(now)) {
                calm = 0;
                takeOver(now);
            } else {
                quiet += wait;
            }
            if (quiet > QUIET_CHECKS) {
                quiet = 0;
                sleep(now);
            }
            last = now;
            LockSupport.parkNanos(this, wait * checkNanos);
        }
    }

    /// Takes the loop over from the handler with this number and reports it, unless it has ended.
    void takeOver(long sequence) {
        Thread holder = loop.baton().holder();
        Thread successor = successor(sequence);
        if (successor == null) {
            return;
        }
        if (holder != null && loop.baton().tryTake(sequence)) {
            // Before the successor gets the loop: until then the holder stays in this handler or at
            // its end.
            try {
                relieved.takenOver(holder, isWaiting(holder));
            } finally {
                giveLoopTo(successor);
            }
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

    private void sleep(long sequence) {
        isWatchdogAsleep = true;
        while (isWatchdogAsleep && !isEnded && loop.baton().sequence() == sequence) {
            LockSupport.park(this);
        }
        isWatchdogAsleep = false;
    }
}
