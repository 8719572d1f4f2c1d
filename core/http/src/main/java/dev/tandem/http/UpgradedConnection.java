package dev.tandem.http;

import java.io.IOException;

/// A connection that has switched from HTTP to another protocol. One thread may read while another
/// writes.
public interface UpgradedConnection {

    /// Reads data from the client; blocks until some is available.
    ///
    /// @return the number of bytes; -1 if the client has ended its side, was silent for too long,
    ///     the server stops, or [#cancelRead()] was called
    /// @throws IOException if the client has disconnected
    int read(byte[] to) throws IOException;

    /// Writes all bytes; blocks while the client does not accept them.
    ///
    /// @throws IOException if the client has disconnected or accepts no data for too long
    void write(byte[] bytes, int from, int length) throws IOException;

    /// Ends a blocking [#read(byte\[\])], and all later ones. May be called from any thread.
    void cancelRead();

    /// Handles the connection, which is closed when the method returns.
    @FunctionalInterface
    interface UpgradeHandler {
        void handle(UpgradedConnection tunnel) throws IOException;
    }
}
