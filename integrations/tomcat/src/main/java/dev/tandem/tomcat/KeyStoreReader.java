package dev.tandem.tomcat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.tomcat.util.file.ConfigFileLoader;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.jspecify.annotations.Nullable;

/// Reads the key of a `<Certificate>` from a key store: a file of any type that the JVM supports,
/// or a store that a program has set.
final class KeyStoreReader {
    private KeyStoreReader() {}

    static KeyStore.PrivateKeyEntry readKey(SSLHostConfigCertificate certificate)
            throws IOException, GeneralSecurityException {
        KeyStore store = certificate.getCertificateKeystore();
        if (store == null) {
            throw new IOException("set certificateFile or certificateKeystoreFile");
        }
        String configuredAlias = certificate.getCertificateKeyAlias();
        String alias = configuredAlias == null ? firstKey(store) : configuredAlias;
        String password = password(certificate);
        char[] secret = password == null ? null : password.toCharArray();
        if (alias != null && store.getKey(alias, secret) instanceof PrivateKey key) {
            return new KeyStore.PrivateKeyEntry(key, store.getCertificateChain(alias));
        }
        throw new IOException(
                "has no private key"
                        + (configuredAlias == null ? "" : " with the alias " + configuredAlias));
    }

    private static @Nullable String firstKey(KeyStore store) throws GeneralSecurityException {
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                return alias;
            }
        }
        return null;
    }

    /// Returns the key's own password, else the store's.
    private static @Nullable String password(SSLHostConfigCertificate certificate)
            throws IOException {
        String own = certificate.getCertificateKeyPassword();
        String ownFile = certificate.getCertificateKeyPasswordFile();
        return password(
                own == null ? certificate.getCertificateKeystorePassword() : own,
                ownFile == null ? certificate.getCertificateKeystorePasswordFile() : ownFile);
    }

    /// @param file whose first line is the password, in place of `text`
    static @Nullable String password(@Nullable String text, @Nullable String file)
            throws IOException {
        if (file == null) {
            return text;
        }
        var in = ConfigFileLoader.getSource().getResource(file).getInputStream();
        try (var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.readLine();
        }
    }

    static List<X509Certificate> certificates(KeyStore store) throws GeneralSecurityException {
        var all = new ArrayList<X509Certificate>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.getCertificate(alias) instanceof X509Certificate certificate) {
                all.add(certificate);
            }
        }
        return all;
    }
}
