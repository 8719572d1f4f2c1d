package dev.tandem.workloads.surge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.stream.Stream;

/// The file that identifies the set in a folder. It is written before all other files, so a folder
/// without it that is not empty belongs to another program.
///
/// @param text one fact per line
record Manifest(String text) {
    static final String NAME = "surge.manifest";

    /// Incremented when the same settings give other bytes.
    private static final int FORMAT = 1;

    /// A longer file is not a manifest of ours.
    private static final int BYTES_MAX = 4_096;

    static Manifest of(Surge surge) {
        return new Manifest(
                """
                The files of a Surge workload. The folder is reused for the same set of files.
                format %d
                seed %d
                files %d
                bytes %d
                sizes %s
                """
                        .formatted(
                                FORMAT,
                                surge.settings().seed(),
                                surge.files().size(),
                                surge.bytes(),
                                digestOfSizes(surge)));
    }

    /// Whether a folder has this manifest.
    ///
    /// @return false if it is empty
    /// @throws IOException if it has another, or none and is not empty
    boolean isIn(Path folder) throws IOException {
        String other;
        try (var in = Files.newInputStream(folder.resolve(NAME))) {
            other = new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            checkEmpty(folder);
            return false;
        }
        if (!other.equals(text)) {
            throw new IOException(
                    "%s holds another file set (see %s there): take another folder, or delete it"
                            .formatted(folder, NAME));
        }
        return true;
    }

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(NAME), text);
    }

    private static void checkEmpty(Path folder) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            if (inside.findAny().isPresent()) {
                throw new IOException(
                        "%s is not empty and holds no file set: take another folder"
                                .formatted(folder));
            }
        }
    }

    private static String digestOfSizes(Surge surge) {
        var lines = new StringBuilder();
        surge.files().stream()
                .sorted(Comparator.comparingInt(SurgeFile::number))
                .forEach(
                        file ->
                                lines.append(file.path())
                                        .append(' ')
                                        .append(file.bytes())
                                        .append('\n'));
        try {
            byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
