package dev.tandem.tls;

import java.nio.file.Path;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;

/// A certificate and its key in a store that somebody else has read, such as a framework. A reload
/// takes what is in the store then.
///
/// @param name what messages call it
/// @param store of any type
/// @param alias of the key; empty for the first one
/// @param password of the key; empty if there is none
public record CertificateStore(String name, KeyStore store, String alias, String password)
        implements CertificateSource {

    @Override
    public @Nullable Path ocsp() {
        return null;
    }

    /// Leaves the password out.
    @Override
    public String toString() {
        return "CertificateStore[" + name + (alias.isEmpty() ? "" : ", alias=" + alias) + "]";
    }
}
