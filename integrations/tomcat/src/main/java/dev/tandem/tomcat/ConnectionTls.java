package dev.tandem.tomcat;

import dev.tandem.http.TlsSessionInfo;
import java.security.cert.X509Certificate;
import org.apache.tomcat.util.net.SSLSupport;
import org.jspecify.annotations.Nullable;

/// A connection's TLS attributes as servlets read them.
record ConnectionTls(TlsSessionInfo security) implements SSLSupport {

    @Override
    public String getCipherSuite() {
        return security.cipherSuite();
    }

    @Override
    public X509Certificate @Nullable [] getPeerCertificateChain() {
        return security.clientCertificates().isEmpty()
                ? null
                : security.clientCertificates().toArray(X509Certificate[]::new);
    }

    @Override
    public Integer getKeySize() {
        String cipher = security.cipherSuite();
        return cipher.contains("256") && !cipher.contains("128") || cipher.contains("CHACHA")
                ? 256
                : 128;
    }

    @Override
    public @Nullable String getSessionId() {
        return security.sessionId().isEmpty() ? null : security.sessionId();
    }

    @Override
    public String getProtocol() {
        return security.protocol();
    }

    @Override
    public @Nullable String getRequestedProtocols() {
        return null;
    }

    @Override
    public @Nullable String getRequestedCiphers() {
        return null;
    }
}
