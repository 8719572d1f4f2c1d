package dev.tandem.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A mounted folder of secrets, from which ticket keys are derived: one that several servers read
/// and none of them writes, such as a Secret of Kubernetes.
///
/// Its files are read in the order of their names; those that begin with a dot are not. Each line
/// is a secret in base64, 32 bytes or more. Tickets are encrypted with the first one, and accepted
/// with all. So the secrets are rotated as those of session marks are: the new one is added as the
/// last line, is moved to the first when all servers have read it, and the old one is removed when
/// its tickets have expired, a day later. The same folder may serve both, since what is derived
/// from a secret says nothing of it.
///
/// Thread-safe, as far as the file system is.
final class TicketKeyFolder {
    /// 16: two are in use during a rotation.
    private static final int KEYS_MAX = 16;

    private static final int SECRET_BYTES_MIN = 32;

    private final Path folder;

    TicketKeyFolder(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    /// Returns the keys, the one that encrypts first.
    ///
    /// @throws TlsConfigException if there is none, or a file cannot be read, does not have this
    ///     format or may be changed by others; names the file and the line, and nothing of a secret
    TicketKeys read() throws TlsConfigException {
        var secrets = new ArrayList<byte[]>();
        for (Path file : files()) {
            readInto(secrets, file);
        }
        if (secrets.isEmpty()) {
            throw TlsConfigException.of(folder, "has no key: a line of base64, 32 bytes or more");
        }
        if (secrets.size() > KEYS_MAX) {
            throw TlsConfigException.of(folder, "has more than " + KEYS_MAX + " keys");
        }
        var keys = new ArrayList<TicketKey>();
        for (int i = 0; i < secrets.size(); i++) {
            // The first line is the newest; none expires by itself.
            Instant from = Instant.EPOCH.plusSeconds(secrets.size() - i);
            keys.add(new TicketKey(from, derived(secrets.get(i))));
        }
        return new TicketKeys(keys);
    }

    private List<Path> files() throws TlsConfigException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw TlsConfigException.of(folder, "cannot be read: " + e, e);
        }
    }

    private static void readInto(List<byte[]> secrets, Path file) throws TlsConfigException {
        checkMode(file);
        List<String> lines =
                new String(Pem.bytes(file), StandardCharsets.ISO_8859_1).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty()) {
                secrets.add(secret(line, file, i + 1));
            }
        }
    }

    private static byte[] secret(String line, Path file, int number) throws TlsConfigException {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException e) {
            // Without the cause, which shows characters of the secret.
            throw TlsConfigException.of(file, "line " + number + " is not base64");
        }
        if (secret.length < SECRET_BYTES_MIN) {
            throw TlsConfigException.of(
                    file,
                    "line "
                            + number
                            + " has "
                            + secret.length
                            + " bytes; a key has at least "
                            + SECRET_BYTES_MIN);
        }
        return secret;
    }

    /// What mounts secrets decides who reads them, and alone may write them.
    private static void checkMode(Path file) throws TlsConfigException {
        try {
            var mode = new HashSet<>(Files.getPosixFilePermissions(file));
            if (mode.contains(PosixFilePermission.OTHERS_WRITE)
                    || mode.contains(PosixFilePermission.GROUP_WRITE)) {
                throw TlsConfigException.of(
                        file, "others may write these secrets: chmod go-w " + file);
            }
        } catch (IOException e) {
            throw TlsConfigException.of(file, "cannot be read: " + e, e);
        }
    }

    /// As HKDF-Expand (RFC 5869, section 2.3), of a secret that is uniformly random.
    private static byte[] derived(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            byte[] label = "tandem ticket key".getBytes(StandardCharsets.US_ASCII);
            mac.update(label);
            byte[] first = mac.doFinal(new byte[] {1});
            mac.update(first);
            mac.update(label);
            byte[] second = mac.doFinal(new byte[] {2});
            byte[] key = Arrays.copyOf(first, TicketKey.SIZE);
            System.arraycopy(second, 0, key, first.length, TicketKey.SIZE - first.length);
            return key;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        }
    }
}
