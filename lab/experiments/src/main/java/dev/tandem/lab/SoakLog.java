package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Observes the rotation of a log: a new file with the log's name. Confined to one thread.
final class SoakLog {
    private final Path file;
    private @Nullable Object last;
    private int rotations;
    private long bytesMax;

    SoakLog(Path file) {
        this.file = file;
    }

    /// Looks once; two rotations since the last look count as one.
    void look() throws LabException {
        try (Stream<Path> all = Files.list(file.getParent())) {
            Object now =
                    Files.exists(file)
                            ? Files.readAttributes(file, BasicFileAttributes.class).fileKey()
                            : last;
            rotations += last != null && !last.equals(now) ? 1 : 0;
            last = now;
            String name = file.getFileName().toString();
            long bytes =
                    all.filter(path -> path.getFileName().toString().startsWith(name))
                            .mapToLong(path -> path.toFile().length())
                            .sum();
            bytesMax = Math.max(bytesMax, bytes);
        } catch (IOException e) {
            throw new LabException("cannot look for " + file + ": " + e.getMessage());
        }
    }

    int rotations() {
        return rotations;
    }

    /// Most bytes of all its files together.
    long bytesMax() {
        return bytesMax;
    }
}
