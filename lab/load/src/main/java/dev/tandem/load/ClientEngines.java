package dev.tandem.load;

import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Makes the TLS engines of one player's connections. Used by that player's thread alone.
public interface ClientEngines extends AutoCloseable {

    /// The JDK's.
    Source JDK = JdkEngines::new;

    /// Makes an engine of a client, ready to begin.
    ///
    /// @param peer the name that sessions are kept and resumed by; empty where none is resumed.
    ///     It is not what the server is told
    /// @param port the server's
    SSLEngine make(String peer, int port);

    /// Gives back what an engine holds outside of the heap; it is not used afterwards.
    void release(SSLEngine engine);

    @Override
    void close();

    /// Where a player's engines come from. Safe for use by several threads.
    @FunctionalInterface
    interface Source {
        /// @throws IOException if there can be no such TLS; says why
        ClientEngines open(Wishes wishes) throws IOException;
    }

    /// What all engines of a player have in common.
    ///
    /// @param serverName what the server is told it is called; empty for an address
    /// @param trust is asked in each full handshake, and only there
    /// @param protocols such as `TLSv1.3`; empty for the engine's own choice
    /// @param ciphers by the JDK's names; empty for the engine's own choice
    record Wishes(
            String serverName,
            X509ExtendedTrustManager trust,
            List<String> protocols,
            List<String> ciphers) {

        public Wishes {
            protocols = List.copyOf(protocols);
            ciphers = List.copyOf(ciphers);
        }
    }
}
