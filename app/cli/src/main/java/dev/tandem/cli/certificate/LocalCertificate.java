package dev.tandem.cli.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/// Creates certificates for servers on this machine, as PEM files.
///
/// The JDK creates certificates only in keytool, so that is run as another process.
public final class LocalCertificate {
    /// Browsers reject server certificates with a longer validity.
    public static final int DAYS_MAX = 397;

    /// The alternative names of each certificate.
    public static final String ALTERNATIVES = "san=dns:localhost,ip:127.0.0.1,ip:::1";

    /// The mode of a key's file.
    public static final Set<PosixFilePermission> KEY_MODE =
            PosixFilePermissions.fromString("rw-------");

    private LocalCertificate() {}

    /// Signs a self-signed certificate by an authority, or leaves it as it is.
    @FunctionalInterface
    public interface Signing {
        void sign(KeyStoreFile store) throws IOException, GeneralSecurityException;
    }

    /// Creates `cert.pem` and `key.pem` in a folder: self-signed, for localhost.
    public static void makeIn(Path folder) throws IOException, GeneralSecurityException {
        make(folder, DAYS_MAX, ALTERNATIVES, _ -> {});
    }

    /// Creates `cert.pem` and `key.pem` in a folder.
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
                    PosixFilePermissions.toString(KEY_MODE));
            write(out.resolve("cert.pem"), chain(store), "rw-r--r--");
        } finally {
            Files.deleteIfExists(store.file());
            Files.delete(folder);
        }
    }

    /// Returns the certificates of a store in PEM form.
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

    /// Creates the file with its mode: a key that others could read for a moment is not secret.
    public static void write(Path file, String text, String mode) throws IOException {
        Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
        Files.writeString(file, text, StandardCharsets.US_ASCII);
    }
}
