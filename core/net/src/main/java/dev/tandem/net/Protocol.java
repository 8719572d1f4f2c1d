package dev.tandem.net;

/// The protocol of a connection. Each method is called by the loop that owns the connection, except
/// [#closed()], which is called by the thread that closes it.
public interface Protocol {

    /// Input may be available, or the peer has disconnected.
    void readable();

    /// The peer may accept output again.
    void writable();

    /// Input has arrived, or the peer has disconnected, while the connection is handed over; called
    /// once per hand-over. The loop does not own the connection.
    default void readableWhileHandedOver() {}

    /// An event has occurred for which the connection is watched ([Connection#watchOnce]). The loop
    /// does not own the connection.
    ///
    /// @param operations [Poller#READ], [Poller#WRITE] or both
    default void watchedEvent(int operations) {}

    /// The deadline set by [Connection#setDeadline] has passed.
    void expired();

    /// Returns whether the connection can be closed now without losing data.
    boolean isIdle();

    /// Returns whether the peer has not completed a request yet, though it may have begun one: if
    /// connections are exhausted and none is idle, the oldest of these is closed.
    default boolean isAwaitingRequest() {
        return isIdle();
    }

    /// Has the peer use another connection for further requests, if the protocol has a message for
    /// that; running requests are completed.
    default void announceEnd() {}

    /// The server is stopping: an idle connection closes itself.
    void stopping();

    /// The connection is about to be closed in favour of others: it is idle, or awaits a request.
    /// The protocol may send what fits at once; its output is not awaited.
    default void evicted() {}

    /// The connection was closed.
    void closed();

    /// Creates the protocol of a new connection.
    @FunctionalInterface
    interface Factory {
        byte[] NOTHING = {};

        Protocol protocol(Connection connection);

        /// Returns the socket that the connection uses: the accepted one, or a wrapper of it.
        default Socket socket(Socket accepted) {
            return accepted;
        }

        /// Returns the complete response that a new connection receives before it is closed if it
        /// cannot be served; empty for none. Must not be modified.
        default byte[] overloadResponse() {
            return NOTHING;
        }
    }
}
