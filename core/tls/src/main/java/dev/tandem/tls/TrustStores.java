package dev.tandem.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// Creates trust stores with the issuers of client certificates, and what verifies by them.
public final class TrustStores {
    private TrustStores() {}

    /// Returns what verifies certificates of clients by the JDK's rules.
    ///
    /// @param roots the issuers; empty for those that the JDK trusts
    public static X509TrustManager manager(List<X509Certificate> roots)
            throws GeneralSecurityException {
        for (TrustManager manager : managers(roots)) {
            if (manager instanceof X509TrustManager verifying) {
                return verifying;
            }
        }
        throw new GeneralSecurityException("the JDK verifies no certificates");
    }

    static TrustManager[] managers(List<X509Certificate> roots) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(roots.isEmpty() ? null : of(roots));
        return factory.getTrustManagers();
    }

    static KeyStore of(List<X509Certificate> roots) throws GeneralSecurityException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        for (int i = 0; i < roots.size(); i++) {
            store.setCertificateEntry("root " + i, roots.get(i));
        }
        return store;
    }
}
