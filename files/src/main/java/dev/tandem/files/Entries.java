package dev.tandem.files;

import dev.tandem.files.Found.Bare;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What is in a folder, as far as it is served. Immutable.
///
/// @param list at most as many as were asked for
/// @param isCut whether there are more
record Entries(List<Entry> list, boolean isCut) {

    /// @param name without a slash
    /// @param size in bytes
    /// @param modifiedSeconds since 1970-01-01T00:00Z
    record Entry(String name, boolean isFolder, long size, long modifiedSeconds) {}

    /// Reads the folder, up to `most` names. Blocks; holds no more than those names, however
    /// large the folder is.
    static Entries of(Bare folder, String tail, Tree tree, int most) throws IOException {
        var list = new ArrayList<Entry>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder.path())) {
            for (Path path : names) {
                if (list.size() == most) {
                    return new Entries(List.copyOf(list), true);
                }
                Entry entry = entry(folder, path, tail, tree);
                if (entry != null) {
                    list.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new Entries(List.copyOf(list), false);
    }

    /// @return null for what is hidden, no file or folder, gone, or not followed
    private static @Nullable Entry entry(Bare folder, Path path, String tail, Tree tree) {
        String name = String.valueOf(path.getFileName());
        if (!tree.isPublic(tail + name)) {
            return null;
        }
        try {
            BasicFileAttributes seen = look(path);
            if (seen.isSymbolicLink()) {
                Path real = tree.realPath(folder.root(), path);
                if (real == null) {
                    return null;
                }
                seen = look(real);
            }
            long seconds = seen.lastModifiedTime().to(TimeUnit.SECONDS);
            return seen.isRegularFile() || seen.isDirectory()
                    ? new Entry(name, seen.isDirectory(), seen.size(), seconds)
                    : null;
        } catch (IOException _) {
            return null;
        }
    }

    private static BasicFileAttributes look(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    Entries sorted(Comparator<Entry> order) {
        var sorted = new ArrayList<>(list);
        sorted.sort(order);
        return new Entries(List.copyOf(sorted), isCut);
    }
}
