package dev.tandem.net;

/// What a connection speaks. Each method is called by the loop that owns the connection at that
/// moment, except [#closed()], which comes from whoever closed it.
public interface Protocol {

    /// Input may wait to be read, or the peer has gone.
    void readable();

    /// The peer may take output again.
    void writable();

    /// Input has come, or the peer has gone, while the connection is lent; told once for each time
    /// that it is lent. The loop does not own the connection.
    default void readableWhileHandedOver() {}

    /// An event has come for which the connection was watched ([Connection#watchOnce]). The loop
    /// does not own the connection.
    ///
    /// @param operations [Poller#READ], [Poller#WRITE] or both
    default void watchedEvent(int operations) {}

    /// The deadline set by [Connection#setDeadline] has passed.
    void expired();

    /// Whether nothing would be lost if the connection were closed now.
    boolean isIdle();

    /// Whether the peer has asked for nothing yet, though it may have begun to: where there is no
    /// room and nobody is idle, the one that has been at it for longest goes.
    default boolean isAwaitingRequest() {
        return isIdle();
    }

    /// The server is stopping: an idle connection closes itself.
    void stopping();

    /// The connection was closed.
    void closed();

    /// Makes the protocol of a new connection.
    @FunctionalInterface
    interface Factory {
        byte[] NOTHING = {};

        Protocol protocol(Connection connection);

        /// What the connection has for its socket: the one that was accepted, or one around it.
        default Socket socket(Socket accepted) {
            return accepted;
        }

        /// What a newcomer is told before it is closed when there is no room for it, all of it;
        /// empty if nothing can be said. Not to be changed.
        default byte[] overloadResponse() {
            return NOTHING;
        }
    }
}
