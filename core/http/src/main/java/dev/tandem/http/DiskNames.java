package dev.tandem.http;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Compares names in paths with those on disk, where the file system ignores case: there `/ADMIN`
/// is the folder `/admin`, but passwords, routes and hidden patterns for `/admin` are not for it.
/// Immutable and thread safe.
///
/// Neither Linux nor Java returns names as they are on disk, so folders are listed. Where case
/// matters, nothing is read.
public final class DiskNames {
    /// How many names are tried in the other case: one may be deleted meanwhile.
    private static final int TRIED = 16;

    private final boolean isCaseIgnored;

    DiskNames(boolean isCaseIgnored) {
        this.isCaseIgnored = isCaseIgnored;
    }

    /// Returns the names of the folder's file system, which is tried with a name in it. Blocks.
    public static DiskNames of(Path folder) {
        return new DiskNames(isCaseIgnoredIn(folder));
    }

    private static boolean isCaseIgnoredIn(Path folder) {
        try {
            Set<String> names = names(folder);
            List<Path> tried =
                    names.stream()
                            .filter(DiskNames::isAscii)
                            .map(folder::resolve)
                            .filter(entry -> !otherCase(entry).equals(entry))
                            .limit(TRIED)
                            .toList();
            return tried.isEmpty()
                    ? isCaseIgnoredOf(folder.toRealPath())
                    : tried.stream().anyMatch(entry -> isInOtherCase(entry, names));
        } catch (IOException _) {
            return false; // there is no folder
        }
    }

    /// Returns the names in a folder; none if it cannot be listed, though what is in it may be
    /// read.
    private static Set<String> names(Path folder) {
        var names = new HashSet<String>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (IOException | DirectoryIteratorException _) {
            return Set.of();
        }
        return names;
    }

    /// Numbers of files are not compared: shared folders of virtual machines have another one for
    /// each name.
    private static boolean isInOtherCase(Path entry, Set<String> names) {
        Path other = otherCase(entry);
        return !names.contains(String.valueOf(other.getFileName()))
                && Files.exists(other, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isCaseIgnoredOf(Path real) throws IOException {
        Path other = otherCase(real);
        return !other.equals(real) && Files.exists(other) && Files.isSameFile(real, other);
    }

    /// Returns the path whose last name has small letters as capitals and the reverse; the same one
    /// if that is not all ASCII.
    private static Path otherCase(Path path) {
        String name = String.valueOf(path.getFileName());
        if (!isAscii(name)) {
            return path;
        }
        var other = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            other.append(
                    Character.isLowerCase(c) ? Character.toUpperCase(c) : Character.toLowerCase(c));
        }
        return path.resolveSibling(other.toString());
    }

    /// Others may be no text, and no paths in the charset of the locale.
    private static boolean isAscii(String name) {
        return name.chars().allMatch(c -> c < 0x80);
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
