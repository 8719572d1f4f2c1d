package dev.tandem.load;

import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Makes the TLS engines of one load thread's connections. Used by that thread alone.
public interface ClientEngines extends AutoCloseable {

    /// The JDK's engines.
    Source JDK = JdkEngines::new;

    /// Makes an engine of a client, ready to begin.
    ///
    /// @param peer the name that sessions are stored and resumed by; empty if none is resumed. It
    ///     is not sent to the server
    /// @param port the server's
    SSLEngine make(String peer, int port);

    /// Releases what an engine holds outside of the heap; it is not used afterwards.
    void release(SSLEngine engine);

    @Override
    void close();

    /// The source of the load threads' engines. Safe for use by several threads.
    @FunctionalInterface
    interface Source {
        /// @throws IOException if such TLS is not possible; the message gives the reason
        ClientEngines open(Wishes wishes) throws IOException;
    }

    /// The settings that all engines of a load thread have in common.
    ///
    /// @param serverName sent to the server as SNI; empty for an address
    /// @param trust is asked in each full handshake, and only there
    /// @param protocols such as `TLSv1.3`; empty for the engine's own choice
    /// @param ciphers by the JDK's names; empty for the engine's own choice
    /// @param applications protocols offered by ALPN, such as `h2`; empty for none
    record Wishes(
            String serverName,
            X509ExtendedTrustManager trust,
            List<String> protocols,
            List<String> ciphers,
            List<String> applications) {

        public Wishes {
            protocols = List.copyOf(protocols);
            ciphers = List.copyOf(ciphers);
            applications = List.copyOf(applications);
        }
    }
}
