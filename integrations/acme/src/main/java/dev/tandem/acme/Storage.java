package dev.tandem.acme;

import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsConfigException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The files of certificates. Only their owner may read them. A file is replaced at once, so that a
/// reader sees the old or the new one, and a full disk or a power cut leaves the old one.
///
/// ```
///   STORAGE/AUTHORITY/account.pem              the account's private and public key
///   STORAGE/AUTHORITY/NAME/fullchain.pem       a key and its certificates
/// ```
///
/// Key and certificates are one file, because two would not be replaced at once. Used by one thread
/// at a time.
final class Storage {
    private static final String ALGORITHM = "EC";
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";
    private static final String CURVE = "secp256r1";
    private static final String ACCOUNT = "account.pem";
    private static final String CHAIN = "fullchain.pem";
    private static final byte[] LINE_END = {'\n'};
    private static final int LINE_LENGTH = 64;

    private final Path folder;

    /// @param directory the authority's: each has a folder, since an account is of one authority
    Storage(Path storage, URI directory) {
        String place = directory.getAuthority() + directory.getPath();
        folder = storage.resolve(place.replaceAll("[^A-Za-z0-9.-]+", "_"));
    }

    /// Returns the account's key, and creates it if there is none, or if its file is empty: that
    /// holds no account. One that is damaged may be restored by its owner, and stays.
    ///
    /// @throws IOException if it cannot be read or written; names the file
    KeyPair account() throws IOException {
        Path file = folder.resolve(ACCOUNT);
        if (!Files.exists(file)) {
            return newAccount(file);
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1); // it may be damaged
        if (text.isEmpty()) {
            Log.LOG.log(Level.WARNING, file + ": is empty, so a new account is made");
            return newAccount(file);
        }
        try {
            var keys = KeyFactory.getInstance(ALGORITHM);
            return new KeyPair(
                    keys.generatePublic(new X509EncodedKeySpec(der(text, PUBLIC))),
                    keys.generatePrivate(new PKCS8EncodedKeySpec(der(text, PRIVATE))));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    file
                            + ": is not an account's key: "
                            + e.getMessage()
                            + "; if it is removed, a new account is made",
                    e);
        }
    }

    private static KeyPair newAccount(Path file) throws IOException {
        KeyPair created = newKey();
        replace(
                file,
                pem(PRIVATE, created.getPrivate().getEncoded())
                        + pem(PUBLIC, created.getPublic().getEncoded()));
        return created;
    }

    /// @throws IllegalArgumentException if there is no such block
    private static byte[] der(String text, String label) {
        Matcher block =
                Pattern.compile("-----BEGIN " + label + "-----([^-]+)-----END").matcher(text);
        if (!block.find()) {
            throw new IllegalArgumentException("there is no " + label);
        }
        return Base64.getMimeDecoder().decode(block.group(1));
    }

    static KeyPair newKey() {
        try {
            var generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(new ECGenParameterSpec(CURVE));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has this curve", e);
        }
    }

    /// Checks that a certificate could be stored, before it is ordered.
    ///
    /// @throws IOException if not; names the folder
    void checkWritable(String name) throws IOException {
        account(); // first, since a client may request a name that is that of its file
        Path probe = folder.resolve(name).resolve(".probe");
        replace(probe, "This file shows that a certificate can be stored here.\n");
        Files.delete(probe);
    }

    void store(HeldCertificate certificate) throws IOException {
        var text = new StringBuilder(pem(PRIVATE, certificate.key().getEncoded()));
        try {
            for (X509Certificate each : certificate.chain()) {
                text.append(pem("CERTIFICATE", each.getEncoded()));
            }
        } catch (CertificateEncodingException e) {
            throw new IOException(certificate.name() + ": " + e.getMessage(), e);
        }
        replace(folder.resolve(certificate.name()).resolve(CHAIN), text.toString());
    }

    /// Returns the stored certificate of a name, whether it is valid now or not; empty if there is
    /// none.
    ///
    /// @throws IOException if it cannot be read; names the file
    Optional<HeldCertificate> load(String name) throws IOException {
        Path file = folder.resolve(name).resolve(CHAIN);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            KeyStore.PrivateKeyEntry entry = CertificateFiles.pem(file, file).read();
            PrivateKey key = entry.getPrivateKey();
            List<X509Certificate> chain =
                    Arrays.stream(entry.getCertificateChain())
                            .map(X509Certificate.class::cast)
                            .toList();
            return Optional.of(new HeldCertificate(name, chain, key));
        } catch (TlsConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Returns the names for which there are certificates, in their order.
    List<String> names() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var names = new ArrayList<String>();
        try (Stream<Path> all = Files.list(folder)) {
            all.filter(place -> Files.exists(place.resolve(CHAIN)))
                    .map(place -> String.valueOf(place.getFileName()))
                    .filter(AcmeSettings::isHostName)
                    .sorted()
                    .forEach(names::add);
        }
        return names;
    }

    void delete(String name) throws IOException {
        Path place = folder.resolve(name);
        Files.deleteIfExists(place.resolve(CHAIN));
        Files.deleteIfExists(place);
    }

    private static String pem(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(LINE_LENGTH, LINE_END).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }

    private static void replace(Path file, String text) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(file + " is no file");
        }
        Files.createDirectories(parent, mode(parent, "rwx------"));
        Path next = Files.createTempFile(parent, ".next", ".pem", mode(parent, "rw-------"));
        try {
            write(next, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
        forceFolder(parent);
    }

    /// Forces it to disk, too: after a power cut, the new name could be that of an empty file.
    private static void write(Path file, ByteBuffer bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static void forceFolder(Path folder) {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException _) {
            // Some systems, such as Windows, open no folders. The old file or the new one is there.
        }
    }

    private static FileAttribute<?>[] mode(Path place, String mode) {
        return place.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
                }
                : new FileAttribute<?>[0];
    }
}
