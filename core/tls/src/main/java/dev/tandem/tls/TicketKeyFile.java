package dev.tandem.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/// A file of ticket keys, which several servers may share:
///
/// ```
///   tandem-ticket-keys 1
///   2026-11-22T00:00:00Z bmFtZSwgSE1BQyBhbmQgQUVTIGtleTogNDggYnl0ZXMgaW4gYmFzZTY0
/// ```
///
/// The first line contains the name and version of the format; each further line contains a key:
/// the time from which it is used, and 16 bytes of name, 16 of HMAC key, 16 of AES key. The file
/// allows decrypting recorded TLS 1.2 sessions that were resumed with it, so only its owner may
/// read it: it is created with mode 0600 and rejected with another. It is replaced atomically (a
/// temporary file is renamed), under a lock on `NAME.lock`, so that one of several servers creates
/// the next key and the others read it.
///
/// Thread-safe, as far as the file system is.
final class TicketKeyFile {
    private static final String FIRST_LINE = "tandem-ticket-keys 1";

    /// Far more keys than can be in use at the same time.
    private static final int KEYS_MAX = 64;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    private final Path file;

    TicketKeyFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    /// Returns the keys of the file, after adding those that are due.
    ///
    /// @param own keys that could not be written before, and are added, too
    /// @throws TlsConfigException if it cannot be read, does not have this format, or its folder is
    ///     missing
    /// @throws IOException if it cannot be written, as where the disk is full
    TicketKeys refreshed(Instant now, TicketKeys own) throws TlsConfigException, IOException {
        TicketKeys keys = read();
        return keys.with(own).rotated(now) == keys ? keys : update(now, own);
    }

    private TicketKeys update(Instant now, TicketKeys own) throws TlsConfigException, IOException {
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        // File locks are held per process, so threads of this process must be excluded separately.
        synchronized (TicketKeyFile.class) {
            try (var channel = FileChannel.open(lock, options, MODE);
                    var _ = channel.lock()) {
                TicketKeys before = read();
                TicketKeys keys = before.with(own).rotated(now).newest(now);
                if (!keys.equals(before)) {
                    write(keys);
                }
                return keys;
            } catch (NoSuchFileException e) {
                throw TlsConfigException.of(file, "cannot be written: " + e, e);
            }
        }
    }

    private void write(TicketKeys keys) throws IOException {
        var text = new StringBuilder(FIRST_LINE).append('\n');
        for (TicketKey key : keys.keys()) {
            text.append(key.from()).append(' ');
            text.append(Base64.getEncoder().encodeToString(key.secret())).append('\n');
        }
        var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
        Path temporary =
                Files.createTempFile(file.getParent(), file.getFileName() + ".", null, MODE);
        try {
            try (var channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /// Returns the keys of the file as they are; none if it does not exist.
    ///
    /// @throws TlsConfigException if it cannot be read, or does not have this format
    TicketKeys read() throws TlsConfigException {
        if (!Files.exists(file)) {
            return TicketKeys.NONE;
        }
        checkMode();
        List<String> lines =
                new String(Pem.bytes(file), StandardCharsets.ISO_8859_1).lines().toList();
        if (lines.isEmpty() || !lines.getFirst().equals(FIRST_LINE)) {
            throw TlsConfigException.of(
                    file, "line 1 is not '" + FIRST_LINE + "': it is no file of ticket keys");
        }
        if (lines.size() > KEYS_MAX) {
            throw TlsConfigException.of(file, "has more than " + KEYS_MAX + " lines");
        }
        var keys = new ArrayList<TicketKey>();
        for (int number = 2; number <= lines.size(); number++) {
            keys.add(key(lines.get(number - 1), number));
        }
        return new TicketKeys(keys);
    }

    private TicketKey key(String line, int number) throws TlsConfigException {
        String[] words = line.split(" ");
        try {
            return new TicketKey(Instant.parse(words[0]), Base64.getDecoder().decode(words[1]));
        } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // Omits the line, which is a secret.
            throw TlsConfigException.of(
                    file, "line " + number + " is not a time and 48 bytes in base64", e);
        }
    }

    private void checkMode() throws TlsConfigException {
        try {
            if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
                throw TlsConfigException.of(
                        file, "others may read or write these secrets: chmod 600 " + file);
            }
        } catch (IOException e) {
            throw TlsConfigException.of(file, "cannot be read: " + e, e);
        }
    }
}
