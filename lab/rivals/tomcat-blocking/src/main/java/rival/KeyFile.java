package rival;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// A key store of a certificate in PEM form, which is what old Tomcats read.
final class KeyFile {
    /// Protects nothing: the key is next to it.
    static final String PASSWORD = "loopback";

    private KeyFile() {}

    static Path write(Call.Tls tls, Path to) throws IOException, GeneralSecurityException {
        Certificate[] chain;
        try (var in = Files.newInputStream(tls.chain())) {
            chain =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(in)
                            .toArray(new Certificate[0]);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", key(tls.key()), PASSWORD.toCharArray(), chain);
        try (var out = Files.newOutputStream(to)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return to;
    }

    private static PrivateKey key(Path pem) throws IOException, GeneralSecurityException {
        String text = Files.readString(pem).replaceAll("-----[A-Z ]+-----|\\s", "");
        var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (InvalidKeySpecException e) {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        }
    }
}
