package dev.tandem.net;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Who has a loop. A loop is a role, not a thread: whoever has it may run a short handler in place,
/// without handing it over, and if that turns out not to be short, another thread takes the role
/// from it and goes on. The first finishes the handler as any worker would.
///
/// ```
///   even: looping  --run()-->  odd: in a handler  --end-->  even
///                                    |
///                                    +--taken by another--> even, the other's
/// ```
///
/// The number only grows, so that what was seen once is never mistaken for something later.
final class Baton {
    private final AtomicLong word = new AtomicLong();

    /// The thread that has the role; null if it was never given to any, and is whoever's turns it.
    private volatile @Nullable Thread holder;

    private @Nullable LoopThreads attach;

    void attach(LoopThreads crew, Thread first) {
        this.attach = crew;
        this.holder = first;
    }

    boolean hasThreads() {
        return attach != null;
    }

    /// Whether this thread has the role.
    boolean isHeld() {
        Thread now = holder;
        return now == null || now == Thread.currentThread();
    }

    /// Runs a task with the role at stake. By its holder.
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
            }
        }
    }

    /// Whoever took the role is about to name its new holder; until then this thread looks like it.
    private void awaitSuccessor() {
        while (holder == Thread.currentThread()) {
            Thread.yield();
        }
    }

    /// What is compared to tell whether a handler still runs.
    long sequence() {
        return word.get();
    }

    static boolean isInHandler(long seen) {
        return (seen & 1) == 1;
    }

    @Nullable Thread holder() {
        return holder;
    }

    /// Takes the role from a holder that is in the handler in which it was seen.
    ///
    /// @return false if it has come out of it meanwhile
    boolean tryTake(long seen) {
        return word.compareAndSet(seen, seen + 1);
    }

    void setHolder(Thread successor) {
        holder = successor;
    }

    /// Passes the role on if this thread has it, since it is about to wait.
    void handOverBeforeBlocking() {
        LoopThreads known = attach;
        if (known != null && holder == Thread.currentThread()) {
            long seen = word.get();
            if (isInHandler(seen)) {
                known.handOver(seen);
            }
        }
    }
}
