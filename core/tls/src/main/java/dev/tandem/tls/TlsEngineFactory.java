package dev.tandem.tls;

import java.util.List;
import javax.net.ssl.SSLException;

/// Creates the engines of the connections with one certificate. Thread-safe. Implemented by
/// providers ([TlsProvider]).
public interface TlsEngineFactory {
    /// Returns a new engine for the server side of one connection, ready for the handshake.
    ///
    /// @throws SSLException if it cannot begin
    TlsEngine newEngine() throws SSLException;

    /// Sets the ticket keys: tickets are encrypted with the first key, and those of all keys are
    /// accepted.
    void setTicketKeys(List<TicketKey> keys);

    /// Releases the off-heap memory of the factory, once the engines have released theirs.
    void close();
}
