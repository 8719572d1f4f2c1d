package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The records and the cryptography of the server side of one TLS connection: what [TlsSession]
/// needs of an [javax.net.ssl.SSLEngine], whose types and rules it has. Confined to the session's
/// owner. [#release()] must be called once.
public interface TlsEngine {
    /// Returns what the handshake needs next; after it, `NEED_WRAP` if there is output other than
    /// data.
    HandshakeStatus handshakeStatus();

    /// Decrypts one record, or processes one of the handshake.
    ///
    /// @throws SSLException if the connection has failed; [#wrap] has the alert
    SSLEngineResult unwrap(ByteBuffer network, ByteBuffer plain) throws SSLException;

    /// Writes pending output, then encrypts up to one record of data; `BUFFER_OVERFLOW` if there is
    /// too little space for it.
    SSLEngineResult wrap(ByteBuffer plain, ByteBuffer network) throws SSLException;

    /// Returns a task without which the handshake does not continue, or null.
    default @Nullable Runnable delegatedTask() {
        return null;
    }

    /// Ends the output: [#wrap] has close_notify.
    void closeOutbound();

    /// Returns the application protocol, or null.
    @Nullable String applicationProtocol();

    /// Returns the TLS version by its name in the JDK.
    String protocol();

    /// Returns the cipher suite by its name in the JDK.
    String cipherSuite();

    /// Returns the session id; empty if it has none.
    byte[] sessionId();

    /// Returns the client's certificate chain, its own certificate first; empty if it presented
    /// none.
    List<X509Certificate> peerCertificates();

    /// Releases the off-heap memory. No other method should be called afterwards: it finds the
    /// engine closed.
    void release();
}
