package dev.tandem.net;

import java.io.IOException;

/// Reports ready sockets. Level-triggered: a socket that is ready for an operation of interest is
/// reported by every poll.
public interface Poller extends AutoCloseable {

    int NONE = 0;
    int READ = 1;
    int WRITE = 2;

    /// With [#READ] or [#WRITE]: reported once, then the interest is cleared until it is set again.
    int ONCE = 4;

    /// Registers a socket or listener. May be called from any thread.
    void add(Pollable pollable, int interest, ReadinessListener readiness) throws IOException;

    /// Changes the interest in a registered socket; also affects a poll in progress. Ignores
    /// sockets closed meanwhile, even at the same time. May be called from any thread.
    void setInterest(Pollable pollable, int interest);

    /// Removes a closed socket. Called only by the thread that holds the loop.
    void remove(Pollable pollable);

    /// Notifies the poller that the owner of a socket has closed it: a poller whose registration
    /// keeps the descriptor open releases it without delay. May be called from any thread.
    default void closed(Pollable pollable) {
        // The kernel removes a closed descriptor by itself.
    }

    /// Waits until a socket is ready, [#wakeup()] is called or the time has passed, and stores the
    /// events for [#dispatchNext()]. Called only by the thread that holds the loop, and only after
    /// all previous events are dispatched.
    ///
    /// @param timeoutNanos the maximum wait; 0 does not wait, negative waits without limit
    void poll(long timeoutNanos) throws IOException;

    /// Dispatches the next event. Another thread may have taken over the loop when it returns, and
    /// then dispatches the remaining events.
    ///
    /// @return false if none is pending
    boolean dispatchNext();

    /// Returns whether events are pending.
    boolean hasNext();

    /// Ends the current wait, or the next one. May be called from any thread.
    void wakeup();

    @Override
    void close();

    /// Notified by a [Poller], on the thread that holds the loop.
    @FunctionalInterface
    interface ReadinessListener {
        /// @param operations [#READ], [#WRITE] or both; a broken or closed socket is ready for both
        void ready(int operations);
    }

    /// An object that a [Poller] of the same [Network] can watch.
    interface Pollable {}
}
