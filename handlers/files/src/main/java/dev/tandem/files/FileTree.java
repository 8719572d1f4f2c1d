package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.FileLookup.Forbidden;
import dev.tandem.files.FileLookup.ListableFolder;
import dev.tandem.files.FileLookup.MissingSlash;
import dev.tandem.files.FileLookup.NotFound;
import dev.tandem.http.DiskNames;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds the files below a root by the paths of requests. Immutable and thread safe.
///
/// Nothing outside of the root is found, unless links out of it are allowed ([Links]): names are
/// checked ([PathNames]), then the real path must be inside the real root. A user with write access
/// to the root could still replace a folder by a link in the microseconds between that check and
/// the server's opening of the file, which Java can open only by its path; the server then rejects
/// the file unless it has the size and time of the one found.
///
/// Hidden names are checked in the request's path, not in targets of links: a folder mounted from a
/// Kubernetes ConfigMap is full of links into `..data`. On a file system that ignores case, a name
/// must be written as on disk, so that no other spelling of it passes by what is for that name.
final class FileTree {
    private final Path root;
    private final List<String> indexFiles;
    private final Links links;
    private final boolean isListing;
    private final FolderOptions options;
    private final DiskNames names;

    /// @throws IllegalArgumentException if `root` is not a folder
    FileTree(Path root, FolderOptions options) {
        if (!Files.isDirectory(root)) {
            throw new IllegalArgumentException("not a folder: " + root);
        }
        this.root = root.toAbsolutePath();
        this.indexFiles = options.indexFiles();
        this.links = options.links();
        this.isListing = options.listingMax() > 0;
        this.options = options;
        this.names = DiskNames.of(root);
    }

    /// Looks a path up on disk. Blocks.
    ///
    /// @param tail the path below the root, decoded
    /// @throws IOException if the disk fails
    FileLookup find(String tail) throws IOException {
        if (!isVisible(tail)) {
            return NotFound.NOT_FOUND;
        }
        try {
            // The root is resolved for each request, and first: if it is a link that a deployment
            // switches to the next release, each request sees one release or the other.
            Path realRoot = root.toRealPath();
            return find(realRoot, realRoot.resolve(tail), tail.isEmpty() || tail.endsWith("/"));
        } catch (NoSuchFileException | InvalidPathException _) {
            return NotFound.NOT_FOUND; // or the file system cannot represent the name
        } catch (AccessDeniedException _) {
            return Forbidden.FORBIDDEN;
        }
    }

    /// Returns whether the path may be served at all.
    boolean isVisible(String tail) {
        return options.isVisible(tail);
    }

    private FileLookup find(Path realRoot, Path path, boolean isFolderName) throws IOException {
        Path real = realPath(realRoot, path);
        if (real == null || !names.areAsWritten(realRoot, path)) {
            return NotFound.NOT_FOUND;
        }
        FileSnapshot snapshot = FileSnapshot.of(real);
        if (snapshot.stamp().isDirectory()) {
            return isFolderName ? index(realRoot, real) : MissingSlash.MISSING_SLASH;
        }
        return isFolderName ? NotFound.NOT_FOUND : document(path, real, snapshot);
    }

    private FileLookup index(Path realRoot, Path folder) throws IOException {
        for (String name : indexFiles) {
            FileLookup found = indexFile(realRoot, folder.resolve(name));
            if (!(found instanceof NotFound)) {
                return found;
            }
        }
        return isListing ? new ListableFolder(folder, realRoot) : NotFound.NOT_FOUND;
    }

    private FileLookup indexFile(Path realRoot, Path path) throws IOException {
        try {
            Path real = realPath(realRoot, path);
            return real == null ? NotFound.NOT_FOUND : document(path, real, FileSnapshot.of(real));
        } catch (NoSuchFileException _) {
            return NotFound.NOT_FOUND;
        }
    }

    /// Pipes and devices are not served: opening them may block forever, or have side effects.
    private static FileLookup document(Path path, Path real, FileSnapshot snapshot) {
        if (!snapshot.stamp().isRegular()) {
            return NotFound.NOT_FOUND;
        }
        String name = String.valueOf(path.getFileName());
        return Files.isReadable(real) ? new Document(name, real, snapshot) : Forbidden.FORBIDDEN;
    }

    /// Returns the real path, or null if it must not be served.
    @Nullable Path realPath(Path realRoot, Path path) throws IOException {
        Path real;
        try {
            real = path.toRealPath();
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (isUnresolvable(realRoot, path)) {
                return null;
            }
            throw e;
        }
        boolean isServed =
                switch (links) {
                    case FOLLOW -> true;
                    case WITHIN -> real.startsWith(realRoot);
                    case OWNER -> real.equals(path) || OwnedLinks.haveOwnerOfTarget(realRoot, path);
                    case NONE -> real.startsWith(realRoot) && real.equals(path);
                };
        return isServed ? real : null;
    }

    /// Returns whether the path uses a file as a folder, or has a cycle of links. Java does not
    /// distinguish that from a disk failure, which must not be sent as 404: caches would drop their
    /// copies. The same is true of a path that is too long with its root.
    ///
    /// Goes down from the root and ends at the first name that is no folder: a client can append
    /// thousands of names to that of a file.
    private static boolean isUnresolvable(Path realRoot, Path path) {
        if (PathNames.isTooLong(path.toString())) {
            return true;
        }
        boolean isInside = path.startsWith(realRoot);
        Path at = isInside ? realRoot : Objects.requireNonNull(path.getRoot());
        for (Path name : at.relativize(path)) {
            at = at.resolve(name);
            if (Files.isSymbolicLink(at)) {
                return true;
            }
            if (!Files.isDirectory(at)) {
                return !at.equals(path) && Files.isRegularFile(at);
            }
        }
        return false;
    }
}
