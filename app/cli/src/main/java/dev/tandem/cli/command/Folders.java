package dev.tandem.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Folders given on command lines.
public final class Folders {
    private Folders() {}

    /// @return its real path
    /// @throws Failure if there is no such folder
    public static Path existing(String name) {
        try {
            Path dir = Path.of(name).toAbsolutePath().normalize();
            if (!Files.exists(dir)) {
                throw Failure.failed("no such folder: " + dir);
            }
            if (!Files.isDirectory(dir)) {
                throw Failure.failed("not a folder: " + dir + "; name the one that it is in");
            }
            return dir.toRealPath();
        } catch (InvalidPathException | IOException e) {
            throw Failure.failed("cannot read " + name + ": " + e.getMessage());
        }
    }
}
