package dev.tandem.tls;

import java.util.List;
import javax.net.ssl.SSLEngine;

/// Makes the engines of connections that are served with one certificate. Thread safe. Providers
/// implement it ([TlsProvider]).
public interface TlsEngineFactory {
    /// An engine for a server's end of one connection. [#release] must be called on it once.
    SSLEngine newEngine();

    /// Whether an engine that fails makes its alert first, and throws only when asked for more.
    boolean throwsAfterAlert();

    /// Gives back what an engine holds outside of the heap.
    void release(SSLEngine engine);

    /// Seals tickets with the first key, and accepts those of all.
    void setTicketKeys(List<TicketKey> keys);

    /// Gives back what the source holds outside of the heap.
    void close();
}
