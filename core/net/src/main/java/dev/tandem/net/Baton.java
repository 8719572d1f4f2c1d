package dev.tandem.net;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The ownership of a loop. A loop is a role, not a thread: the thread that holds it may run a
/// short handler inline, without handing it to a worker. If the handler turns out not to be short,
/// another thread takes over the role and continues the loop; the first thread finishes the handler
/// like a worker.
///
/// ```
///   even: looping  --run()-->  odd: in a handler  --end-->  even
///                                    |
///                                    +--taken over--> even, held by another thread
/// ```
///
/// The number only grows, so that an observed value is never confused with a later one.
final class Baton {
    private final AtomicLong word = new AtomicLong();

    /// The thread that holds the role; null if it was never assigned, so that any thread may run
    /// the loop.
    private volatile @Nullable Thread holder;

    private @Nullable LoopThreads attach;

    void attach(LoopThreads threads, Thread first) {
        this.attach = threads;
        this.holder = first;
    }

    boolean hasThreads() {
        return attach != null;
    }

    /// Returns whether the current thread holds the role.
    boolean isHeld() {
        Thread now = holder;
        return now == null || now == Thread.currentThread();
    }

    /// Runs a task, during which another thread may take over the role. Called by its holder.
    void run(Runnable task) {
        long looping = word.get();
        word.set(looping + 1);
        LoopThreads known = attach;
        if (known != null) {
            known.wakeWatchdog();
        }
        try {
            task.run();
        } finally {
            if (!word.compareAndSet(looping + 1, looping + 2)) {
                awaitSuccessor();
            } else if (known != null) {
                // Left by the task: the poller would not wait, nor would the next task.
                boolean _ = Thread.interrupted();
            }
        }
    }

    /// Waits until the thread that took the role sets the new holder; until then this thread still
    /// appears to hold it.
    private void awaitSuccessor() {
        while (holder == Thread.currentThread()) {
            Thread.yield();
        }
    }

    /// Returns the number by which a caller detects whether a handler is still running.
    long sequence() {
        return word.get();
    }

    static boolean isInHandler(long sequence) {
        return (sequence & 1) == 1;
    }

    @Nullable Thread holder() {
        return holder;
    }

    /// Takes the role from its holder if that is still in the observed handler.
    ///
    /// @return false if the handler has ended meanwhile
    boolean tryTake(long sequence) {
        return word.compareAndSet(sequence, sequence + 1);
    }

    void setHolder(Thread successor) {
        holder = successor;
    }

    /// Hands the role over if this thread holds it, because it is about to block.
    void handOverBeforeBlocking() {
        LoopThreads known = attach;
        if (known != null && holder == Thread.currentThread()) {
            long sequence = word.get();
            if (isInHandler(sequence)) {
                known.handOver(sequence);
            }
        }
    }
}
