package dev.tandem.cli.certificate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A PKCS#12 file with one key, processed by the JDK's keytool.
public record KeyStoreFile(Path file) {
    private static final String NAME = "tandem";

    /// Required by keytool; the file is protected by its mode.
    private static final String PASSWORD = "tandem";

    private static final int TIMEOUT_SECONDS = 60;

    /// keytool runs in a JVM of its own for less than a second: an optimizing compiler and a
    /// concurrent collector would double that.
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-J-XX:+IgnoreUnrecognizedVMOptions",
                    "-J-XX:TieredStopAtLevel=1",
                    "-J-XX:+UseSerialGC");

    /// Creates a key and a self-signed certificate. No other user can read the file at any time:
    /// keytool, which writes it as the umask allows, does so in a folder of this user's only.
    ///
    /// @param extensions as keytool's `-ext` has them
    public void make(String name, int days, List<String> extensions) throws IOException {
        var arguments = new ArrayList<>(List.of("-genkeypair", "-keyalg", "EC"));
        arguments.addAll(List.of("-groupname", "secp256r1", "-sigalg", "SHA256withECDSA"));
        arguments.addAll(List.of("-dname", name, "-validity", String.valueOf(days)));
        extensions.forEach(extension -> arguments.addAll(List.of("-ext", extension)));
        Path folder = Files.createTempDirectory(file.toAbsolutePath().getParent(), "tandem-cert");
        Path made = folder.resolve("store.p12");
        try {
            new KeyStoreFile(made).keytool(arguments, new byte[0]);
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
            Files.delete(folder);
        }
    }

    /// Replaces another store's certificate by one that this key signs.
    public void sign(KeyStoreFile other, int days, String alternatives) throws IOException {
        byte[] request = other.keytool(List.of("-certreq"), new byte[0]);
        var arguments = new ArrayList<>(List.of("-gencert", "-rfc", "-validity"));
        arguments.addAll(
                List.of(String.valueOf(days), "-ext", alternatives, "-ext", "eku=serverAuth"));
        byte[] signed = keytool(arguments, request);
        byte[] own = keytool(List.of("-exportcert", "-rfc"), new byte[0]);
        byte[] both = Arrays.copyOf(signed, signed.length + own.length);
        System.arraycopy(own, 0, both, signed.length, own.length);
        other.keytool(List.of("-importcert", "-noprompt"), both);
    }

    public Key key() throws IOException, GeneralSecurityException {
        return store().getKey(NAME, PASSWORD.toCharArray());
    }

    /// Returns the certificate followed by that of its issuer.
    public List<Certificate> chain() throws IOException, GeneralSecurityException {
        return List.of(store().getCertificateChain(NAME));
    }

    private KeyStore store() throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    /// Runs keytool, and returns its output.
    private byte[] keytool(List<String> arguments, byte[] input) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(arguments);
        command.addAll(List.of("-alias", NAME, "-keystore", file.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Path in = Files.createTempFile("tandem-cert", ".in");
        Path err = Files.createTempFile("tandem-cert", ".err");
        Path out = Files.createTempFile("tandem-cert", ".out");
        try {
            Files.write(in, input);
            Process process =
                    new ProcessBuilder(command)
                            .redirectInput(in.toFile())
                            .redirectError(err.toFile())
                            .redirectOutput(out.toFile())
                            .start();
            if (!awaitSuccess(process)) {
                throw new IOException(
                        "keytool failed: "
                                + Files.readString(err, StandardCharsets.ISO_8859_1).strip()
                                + Files.readString(out, StandardCharsets.ISO_8859_1).strip());
            }
            return Files.readAllBytes(out);
        } finally {
            for (Path used : List.of(in, err, out)) {
                Files.delete(used);
            }
        }
    }

    private static boolean awaitSuccess(Process process) throws IOException {
        try {
            if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new IOException("keytool did not end in " + TIMEOUT_SECONDS + " s");
    }
}
