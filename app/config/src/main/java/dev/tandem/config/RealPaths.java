package dev.tandem.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Real paths of the folders and files of one check, each looked up once: a configuration of a
/// thousand sites compares each of their folders with each of their files.
final class RealPaths {
    private final Map<Path, Path> known = new HashMap<>();

    /// Follows links, as far as the path exists.
    Path of(Path path) {
        return known.computeIfAbsent(path, RealPaths::find);
    }

    /// Returns how many were looked up.
    int count() {
        return known.size();
    }

    private static Path find(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        for (Path exists = absolute; exists != null; exists = exists.getParent()) {
            try {
                return exists.toRealPath().resolve(exists.relativize(absolute));
            } catch (IOException _) {
                // The folder that it will be in.
            }
        }
        return absolute;
    }
}
