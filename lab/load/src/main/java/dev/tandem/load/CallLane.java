package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// Sends calls of a user, one after another or several at once: an HTTP/1.1 connection, or streams
/// of an HTTP/2 connection. Confined to one load thread.
interface CallLane {

    /// The number of calls under way.
    int size();

    /// Whether a call waits for its time.
    boolean isScheduled();

    /// Adds a call; [#flush()] sends it.
    void add(PendingCall pending);

    /// Asks the user for more calls at a given time.
    ///
    /// @param pending the call to send first then; null to ask the user only
    void schedule(@Nullable PendingCall pending, long untilNanos);

    /// Sends the added calls once the connection is established.
    void flush();

    /// Ends the calls under way, without counting.
    void abandon();
}
