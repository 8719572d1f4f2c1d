package dev.tandem.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// A certificate for localhost with its key, in PEM files: all servers that are compared show the
/// same.
///
/// @param chain the certificate
/// @param key its key, PKCS#8 without a password
record LabCertificate(Path chain, Path key) {
    private static final String NAME = "lab";
    private static final String PASSWORD = "laboratory";
    private static final int SECONDS_MAX = 60;

    /// @param kind `ec` (P-256) or `rsa` (2,048 bits)
    static LabCertificate make(Path folder, String kind) throws LabException, InterruptedException {
        Path store = folder.resolve("certificate.p12");
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.addAll(List.of("-genkeypair", "-alias", NAME, "-dname", "CN=localhost"));
        words.addAll(
                kind.equals("ec")
                        ? List.of("-keyalg", "EC", "-groupname", "secp256r1")
                        : List.of("-keyalg", "RSA", "-keysize", "2048"));
        words.addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "30"));
        words.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        words.addAll(List.of("-keystore", store.toString()));
        Toolbox.output(SECONDS_MAX, words);
        try (InputStream in = Files.newInputStream(store)) {
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            Path chain = folder.resolve("certificate.pem");
            Path key = folder.resolve("certificate-key.pem");
            write(chain, "CERTIFICATE", keys.getCertificate(NAME).getEncoded());
            write(key, "PRIVATE KEY", keys.getKey(NAME, PASSWORD.toCharArray()).getEncoded());
            return new LabCertificate(chain, key);
        } catch (IOException | GeneralSecurityException e) {
            throw new LabException("cannot make a certificate: " + e.getMessage());
        }
    }

    private static void write(Path file, String label, byte[] der) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        String text = "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
        Files.writeString(file, text, StandardCharsets.US_ASCII);
    }
}
