package dev.tandem.net;

/// What a connection speaks. Each method is called by the loop that owns the connection at that
/// moment, except [#closed()], which comes from whoever closed it.
public interface Protocol {

    /// Input may wait to be read, or the peer has gone.
    void readable();

    /// The peer may take output again.
    void writable();

    /// The deadline set by [Connection#expireAt] has passed.
    void expired();

    /// Whether nothing would be lost if the connection were closed now.
    boolean isIdle();

    /// The server is stopping: an idle connection closes itself.
    void stopping();

    /// The connection was closed.
    void closed();

    /// Makes the protocol of a new connection.
    @FunctionalInterface
    interface Factory {
        Protocol protocol(Connection connection);
    }
}
