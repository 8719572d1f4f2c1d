package dev.tandem.cli.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

/// Makes certificates for servers on this machine, as PEM files.
///
/// The JDK makes certificates only in its keytool, so that is run as another process.
public final class LocalCertificate {
    /// Browsers reject certificates of servers that are valid for longer.
    public static final int DAYS_MAX = 397;

    /// The names that each certificate has.
    public static final String ALTERNATIVES = "san=dns:localhost,ip:127.0.0.1,ip:::1";

    private LocalCertificate() {}

    /// Signs a certificate that so far has signed itself; or does not.
    @FunctionalInterface
    public interface Signing {
        void sign(KeyStoreFile store) throws IOException, GeneralSecurityException;
    }

    /// Leaves `cert.pem` and `key.pem` in a folder: for localhost, signed by itself.
    public static void makeIn(Path folder) throws IOException, GeneralSecurityException {
        make(folder, DAYS_MAX, ALTERNATIVES, _ -> {});
    }

    /// Leaves `cert.pem` and `key.pem` in a folder.
    ///
    /// @param alternatives as keytool's `-ext` takes them
    public static void make(Path out, int days, String alternatives, Signing signing)
            throws IOException, GeneralSecurityException {
        Path folder = Files.createTempDirectory("tandem-cert");
        var store = new KeyStoreFile(folder.resolve("store.p12"));
        try {
            store.make("CN=localhost", days, List.of(alternatives, "eku=serverAuth"));
            signing.sign(store);
            write(
                    out.resolve("key.pem"),
                    pem("PRIVATE KEY", store.key().getEncoded()),
                    "rw-------");
            write(out.resolve("cert.pem"), chain(store), "rw-r--r--");
        } finally {
            Files.deleteIfExists(store.file());
            Files.delete(folder);
        }
    }

    /// The certificates of a store in PEM form.
    public static String chain(KeyStoreFile store) throws IOException, GeneralSecurityException {
        var text = new StringBuilder();
        for (var certificate : store.chain()) {
            text.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    private static String pem(String label, byte[] der) {
        var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }

    /// With its mode from the first: a key that others could read for a moment is no secret.
    public static void write(Path file, String text, String mode) throws IOException {
        Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
        Files.writeString(file, text, StandardCharsets.US_ASCII);
    }
}
