package dev.tandem.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;

/// Creates trust stores with the issuers of client certificates.
final class TrustStores {
    private TrustStores() {}

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
