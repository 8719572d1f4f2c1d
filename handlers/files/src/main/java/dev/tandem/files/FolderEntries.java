package dev.tandem.files;

import dev.tandem.files.FileLookup.ListableFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The visible contents of a folder. Immutable.
///
/// @param list at most as many entries as requested
/// @param isTruncated whether there are more
record FolderEntries(List<Entry> list, boolean isTruncated) {

    /// @param name without a slash
    /// @param size in bytes
    /// @param modifiedSeconds since 1970-01-01T00:00Z
    record Entry(String name, boolean isFolder, long size, long modifiedSeconds) {}

    /// Maximum number of hidden names to skip: 10,000, which bounds the cost of a request for a
    /// folder with a million of them.
    static final int SKIPPED_MAX = 10_000;

    /// Reads up to `most` names of the folder. Blocks; holds no more than those names, however
    /// large the folder is.
    static FolderEntries of(ListableFolder folder, String tail, FileTree tree, int most)
            throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder.path())) {
            return of(names, path -> entry(folder, path, tail, tree), most);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// @param toEntry returns null for hidden names
    static FolderEntries of(
            Iterable<Path> names, Function<Path, @Nullable Entry> toEntry, int most) {
        var list = new ArrayList<Entry>();
        int skipped = 0;
        for (Path path : names) {
            if (list.size() == most || skipped == SKIPPED_MAX) {
                return new FolderEntries(List.copyOf(list), true);
            }
            Entry entry = toEntry.apply(path);
            if (entry == null) {
                skipped++;
            } else {
                list.add(entry);
            }
        }
        return new FolderEntries(List.copyOf(list), false);
    }

    /// @return null for a name that is hidden, neither file nor folder, missing, a link not
    ///     followed, or not expressible in a request target
    private static @Nullable Entry entry(
            ListableFolder folder, Path path, String tail, FileTree tree) {
        String name = String.valueOf(path.getFileName());
        if (!tree.isVisible(tail + name) || !isNamed(path, name)) {
            return null;
        }
        try {
            BasicFileAttributes attributes = attributes(path);
            if (attributes.isSymbolicLink()) {
                Path real = tree.realPath(folder.root(), path);
                if (real == null) {
                    return null;
                }
                attributes = attributes(real);
            }
            long seconds = attributes.lastModifiedTime().to(TimeUnit.SECONDS);
            return attributes.isRegularFile() || attributes.isDirectory()
                    ? new Entry(name, attributes.isDirectory(), attributes.size(), seconds)
                    : null;
        } catch (IOException _) {
            return null;
        }
    }

    /// Returns whether the name leads back to the file: not if its bytes are not valid text, such
    /// as a name in Latin-1 where names are UTF-8.
    private static boolean isNamed(Path path, String name) {
        try {
            return path.resolveSibling(name).equals(path);
        } catch (InvalidPathException _) {
            return false;
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    FolderEntries sorted(Comparator<Entry> order) {
        var sorted = new ArrayList<>(list);
        sorted.sort(order);
        return new FolderEntries(List.copyOf(sorted), isTruncated);
    }
}
