package dev.tandem.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/// The keys of a mounted secret: a file, or a folder whose files are read in the order of their
/// names (those that begin with a dot are not). Each line is a key in base64, 32 bytes or more. The
/// first key signs, all verify.
///
/// @param keys at least one
record MarkKeys(List<byte[]> keys) {
    /// 16: two are in use during a rotation.
    private static final int KEYS_MAX = 16;

    private static final int KEY_BYTES_MIN = 32;

    /// 64 KiB: far more than all keys.
    private static final int SIZE_MAX = 1 << 16;

    /// @throws IOException if the secret is missing or malformed; names the file and the line, and
    ///     nothing of the secret
    static MarkKeys read(Path secret) throws IOException {
        var keys = new ArrayList<byte[]>();
        for (Path file : files(secret)) {
            readInto(keys, file);
        }
        if (keys.isEmpty()) {
            throw new IOException(secret + " has no key");
        }
        if (keys.size() > KEYS_MAX) {
            throw new IOException(secret + " has more than " + KEYS_MAX + " keys");
        }
        return new MarkKeys(keys);
    }

    private static List<Path> files(Path secret) throws IOException {
        if (Files.exists(secret) && !Files.isDirectory(secret) && !Files.isRegularFile(secret)) {
            throw new IOException(secret + " is neither a file nor a folder"); // it may never end
        }
        if (!Files.isDirectory(secret)) {
            return List.of(secret);
        }
        try (Stream<Path> all = Files.list(secret)) {
            return all.filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw new IOException(secret + " cannot be read: " + e.getCause(), e);
        } catch (IOException e) {
            throw explained(secret, e);
        }
    }

    /// Messages of the file system often are names alone.
    static IOException explained(Path file, IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> new IOException(file + " does not exist", e);
            case AccessDeniedException _ ->
                    new IOException(file + " may not be read by the user of this process", e);
            default -> new IOException(file + " cannot be read: " + e, e);
        };
    }

    private static void readInto(List<byte[]> keys, Path file) throws IOException {
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty()) {
                keys.add(key(line, file, i + 1));
            }
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try (InputStream input = Files.newInputStream(file)) {
            byte[] read = input.readNBytes(SIZE_MAX + 1);
            if (read.length > SIZE_MAX) {
                throw new IOException("more than " + SIZE_MAX + " bytes are no keys");
            }
            return new String(read, StandardCharsets.ISO_8859_1).lines().toList();
        } catch (IOException e) {
            throw explained(file, e);
        }
    }

    private static byte[] key(String line, Path file, int number) throws IOException {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ":" + number + " is not base64"); // without the secret
        }
        if (key.length < KEY_BYTES_MIN) {
            throw new IOException(
                    file
                            + ":"
                            + number
                            + " has "
                            + key.length
                            + " bytes; a key has at least "
                            + KEY_BYTES_MIN);
        }
        return key;
    }
}
