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
import java.util.function.Function;
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

    /// How many names that are not shown are passed over at most: 10,000. Who asks for a folder of
    /// a million of them costs no more than that.
    static final int PASSED_MAX = 10_000;

    /// Reads the folder, up to `most` names. Blocks; holds no more than those names, however
    /// large the folder is.
    static Entries of(Bare folder, String tail, Tree tree, int most) throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder.path())) {
            return of(names, path -> entry(folder, path, tail, tree), most);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// @param look gives null for what is not shown
    static Entries of(Iterable<Path> names, Function<Path, @Nullable Entry> look, int most) {
        var list = new ArrayList<Entry>();
        int passed = 0;
        for (Path path : names) {
            if (list.size() == most || passed == PASSED_MAX) {
                return new Entries(List.copyOf(list), true);
            }
            Entry entry = look.apply(path);
            if (entry == null) {
                passed++;
            } else {
                list.add(entry);
            }
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
