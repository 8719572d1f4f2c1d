package dev.tandem.load;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts a given authority, or every server; counts how often it was asked. That happens in full
/// handshakes only, and is the one reliable sign of one that every engine gives.
final class Trust extends X509ExtendedTrustManager {
    private final @Nullable X509ExtendedTrustManager authority;
    private long askedCount;

    /// @param authority null to trust every server
    Trust(@Nullable X509ExtendedTrustManager authority) {
        this.authority = authority;
    }

    long askedCount() {
        return askedCount;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        askedCount++;
        if (authority != null) {
            authority.checkServerTrusted(chain, type, engine);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        askedCount++;
        if (authority != null) {
            authority.checkServerTrusted(chain, type, socket);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        askedCount++;
        if (authority != null) {
            authority.checkServerTrusted(chain, type);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("a load generator trusts no clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
