package dev.tandem.http;

import java.io.IOException;

/// The client's bytes on a connection that speaks another protocol than HTTP from now on. One
/// thread may read while another writes.
public interface UpgradedConnection {

    /// Reads what the client sent; waits for it.
    ///
    /// @return how many bytes; -1 when the client has ended, was silent for too long, or
    ///     [#cancelRead()] was called
    /// @throws IOException if the client is gone
    int read(byte[] to) throws IOException;

    /// Writes all of it; waits while the client does not take it.
    ///
    /// @throws IOException if the client is gone or takes nothing for too long
    void write(byte[] bytes, int from, int length) throws IOException;

    /// Ends the wait of whoever reads. From any thread.
    void cancelRead();

    /// Talks with the client; the connection is closed when it returns.
    @FunctionalInterface
    interface UpgradeHandler {
        void handle(UpgradedConnection tunnel) throws IOException;
    }
}
