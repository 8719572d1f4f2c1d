package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The certificate for localhost that the servers of a run use for TLS, with its key, both in PEM
/// form.
///
/// @param chain the certificate's file
/// @param key the file of its key
record Certificate(Path chain, Path key) {
    private static final int KEYTOOL_SECONDS_MAX = 60;
    private static final String NAME = "lab";

    /// keytool requires a password; the file is deleted as soon as it has been read.
    private static final String PASSWORD = "tandem-lab";

    /// Cost of a signature for the server in a full handshake, from low to high.
    enum Kind {
        /// ECDSA on the curve P-256, as made by `tandem cert`.
        EC("EC", "secp256r1"),
        /// RSA of 2,048 bits. For today's processors about what 1,024 bits were for the papers': a
        /// full handshake costs some seventy times what a small response does.
        RSA("RSA", "2048"),
        /// RSA of 4,096 bits: some five times as much.
        RSA4096("RSA", "4096");

        private final String algorithm;
        private final String size;

        Kind(String algorithm, String size) {
            this.algorithm = algorithm;
            this.size = size;
        }

        private List<String> options() {
            String of = this == EC ? "-groupname" : "-keysize";
            return List.of("-keyalg", algorithm, of, size);
        }
    }

    /// Creates a certificate by the JDK's keytool.
    ///
    /// @param folder exists
    /// @throws LabException if it cannot be made; says why
    static Certificate make(Path folder, Kind kind) throws LabException, InterruptedException {
        Path store = folder.resolve("lab.p12");
        try {
            String said = Toolbox.output(KEYTOOL_SECONDS_MAX, command(store, kind));
            if (!Files.exists(store)) {
                throw new LabException("keytool made no certificate: " + said.strip());
            }
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            Path chain = folder.resolve("cert.pem");
            Path key = folder.resolve("key.pem");
            byte[] secret = keys.getKey(NAME, PASSWORD.toCharArray()).getEncoded();
            Files.writeString(chain, pem("CERTIFICATE", keys.getCertificate(NAME).getEncoded()));
            Files.writeString(key, pem("PRIVATE KEY", secret));
            // Servers started by root read it before they change to another user.
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            Files.delete(store);
            return new Certificate(chain, key);
        } catch (IOException | GeneralSecurityException e) {
            throw new LabException(
                    "cannot make a certificate in " + folder + ": " + e.getMessage());
        }
    }

    /// Returns the arguments with which a target uses this certificate.
    List<String> words(int port) {
        return List.of(
                "--tls", "127.0.0.1:" + port, "--cert", chain.toString(), "--key", key.toString());
    }

    private static List<String> command(Path store, Kind kind) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // A separate JVM that lives for less than a second.
        words.add("-J-XX:+IgnoreUnrecognizedVMOptions");
        words.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        words.add("-genkeypair");
        words.addAll(kind.options());
        words.addAll(List.of("-alias", NAME, "-dname", "CN=localhost", "-validity", "30"));
        words.addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1"));
        words.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        words.addAll(List.of("-keystore", store.toString()));
        return words;
    }

    private static String pem(String label, byte[] der) {
        String lines =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
