package dev.tandem.http;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;

/// Compares names in paths with those on disk, where the file system ignores case: there `/ADMIN`
/// is the folder `/admin`, but passwords, routes and hidden patterns for `/admin` are not for it.
/// Immutable and thread safe.
///
/// Neither Linux nor Java returns names as they are on disk, so folders are listed. Where case
/// matters, nothing is read.
public final class DiskNames {
    private final boolean isCaseIgnored;

    DiskNames(boolean isCaseIgnored) {
        this.isCaseIgnored = isCaseIgnored;
    }

    /// Returns the names of the folder's file system, which is tried with a name in it. Blocks.
    public static DiskNames of(Path folder) {
        return new DiskNames(isCaseIgnoredIn(folder));
    }

    private static boolean isCaseIgnoredIn(Path folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (!otherCase(entry).equals(entry)) {
                    return isSame(entry, otherCase(entry));
                }
            }
            Path real = folder.toRealPath();
            return isSame(real, otherCase(real));
        } catch (IOException | DirectoryIteratorException _) {
            return false; // nothing in it can be listed, nor perhaps served
        }
    }

    private static boolean isSame(Path one, Path other) throws IOException {
        return !other.equals(one) && Files.exists(other) && Files.isSameFile(one, other);
    }

    /// Returns the path whose last name has small letters as capitals and the reverse; the same one
    /// if that is not all ASCII, since its bytes may be no text.
    private static Path otherCase(Path path) {
        String name = String.valueOf(path.getFileName());
        var other = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x80) {
                return path;
            }
            other.append(
                    Character.isLowerCase(c) ? Character.toUpperCase(c) : Character.toLowerCase(c));
        }
        return path.resolveSibling(other.toString());
    }

    /// Returns whether each name of the path below `root` is written as it is on disk. Accents may
    /// be composed in the path and separate on disk, as macOS writes some. Blocks.
    ///
    /// @param root a folder that `path` begins with
    /// @throws IOException if a folder cannot be listed
    public boolean areAsWritten(Path root, Path path) throws IOException {
        if (!isCaseIgnored || path.equals(root)) {
            return true;
        }
        Path at = root;
        for (Path name : root.relativize(path)) {
            if (!has(at, name.toString())) {
                return false;
            }
            at = at.resolve(name);
        }
        return true;
    }

    private static boolean has(Path folder, String name) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String known = String.valueOf(entry.getFileName());
                if (known.equals(name)
                        || Normalizer.normalize(known, Normalizer.Form.NFC).equals(name)) {
                    return true;
                }
            }
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
