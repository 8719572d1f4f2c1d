package dev.tandem.tls;

import java.util.List;
import javax.net.ssl.SSLEngine;

/// Creates the engines of the connections with one certificate. Thread-safe. Implemented by
/// providers ([TlsProvider]).
public interface TlsEngineFactory {
    /// Returns a new engine for the server side of one connection. [#release] must be called once
    /// for it.
    SSLEngine newEngine();

    /// Returns whether a failing engine produces its alert first, and throws the exception only on
    /// the next call.
    boolean throwsAfterAlert();

    /// Releases the off-heap memory of an engine.
    void release(SSLEngine engine);

    /// Sets the ticket keys: tickets are encrypted with the first key, and those of all keys are
    /// accepted.
    void setTicketKeys(List<TicketKey> keys);

    /// Releases the off-heap memory of the factory.
    void close();
}
