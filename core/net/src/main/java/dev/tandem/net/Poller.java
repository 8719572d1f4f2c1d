package dev.tandem.net;

import java.io.IOException;

/// Tells which sockets are ready. Level-triggered: what is ready and wanted is told on every poll.
public interface Poller extends AutoCloseable {

    int NONE = 0;
    int READ = 1;
    int WRITE = 2;

    /// With [#READ] or [#WRITE]: told once, then the interest is none until it is set again.
    int ONCE = 4;

    /// Starts to watch a socket or listener, from any thread.
    void add(Pollable pollable, int interest, ReadinessListener readiness) throws IOException;

    /// Changes the interest in something that was added, from any thread; takes effect on a poll
    /// that is under way, too. What was closed meanwhile is passed over.
    void setInterest(Pollable pollable, int interest);

    /// Forgets something that is closed. Only from the thread that has the loop.
    void remove(Pollable pollable);

    /// Learns that something was closed by whoever owned it, from any thread: a poller that keeps
    /// hold of what it watches, so that its descriptor stays open, lets it go without delay.
    default void closed(Pollable pollable) {
        // What the kernel watches by its descriptor, it forgets with that.
    }

    /// Waits until something is ready, [#wakeup()] is called or the time is over, and remembers
    /// what is ready for [#dispatchNext()]. Only from the thread that has the loop, and only when
    /// all that was fetched before is told.
    ///
    /// @param timeoutNanos the longest wait; 0 does not wait, negative waits without end
    void poll(long timeoutNanos) throws IOException;

    /// Tells the next of those fetched. The loop may have passed to another thread when it returns:
    /// that one goes on with the rest.
    ///
    /// @return false if none is left
    boolean dispatchNext();

    /// Whether some of those fetched are not told yet.
    boolean hasNext();

    /// Ends a wait that is under way, or the next one. From any thread.
    void wakeup();

    @Override
    void close();

    /// Told by a [Poller], on the thread that has the loop.
    @FunctionalInterface
    interface ReadinessListener {
        /// @param operations [#READ], [#WRITE] or both; a broken or closed socket is ready for both
        void ready(int operations);
    }

    /// What a [Poller] of the same [Network] can watch.
    interface Pollable {}
}
