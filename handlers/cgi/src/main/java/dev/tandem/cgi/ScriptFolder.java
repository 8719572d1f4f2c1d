package dev.tandem.cgi;

import dev.tandem.cgi.ScriptLookup.Forbidden;
import dev.tandem.cgi.ScriptLookup.NotFound;
import dev.tandem.cgi.ScriptLookup.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// The programs below a folder, found by the paths of requests. Immutable; may be shared by
/// threads.
///
/// The first part of the path that is a file is the program; what follows is its `PATH_INFO`. The
/// program's real path must lie in the real root. Who may write to the root could still exchange a
/// folder for a link in the microseconds before the start; but who may write there is trusted with
/// more.
public final class ScriptFolder {
    /// The longest name that file systems take, in bytes (`NAME_MAX` of Linux).
    private static final int NAME_BYTES_MAX = 255;

    private final Path root;
    private final boolean isFollowingLinks;
    private final boolean requiresExecutable;

    /// @throws IllegalArgumentException if `root` is no folder
    ScriptFolder(Path root, boolean isFollowingLinks) {
        this(root, isFollowingLinks, true);
    }

    /// @param requiresExecutable whether a program must be a file that may be executed; else one
    ///     that may be read
    /// @throws IllegalArgumentException if `root` is no folder
    public ScriptFolder(Path root, boolean isFollowingLinks, boolean requiresExecutable) {
        if (!Files.isDirectory(root)) {
            throw new IllegalArgumentException("not a folder: " + root);
        }
        this.root = root.toAbsolutePath();
        this.isFollowingLinks = isFollowingLinks;
        this.requiresExecutable = requiresExecutable;
    }

    /// Looks on the disk. Blocks.
    ///
    /// @param tail the path below the root, decoded and free of dot segments
    /// @throws IOException if the disk fails
    public ScriptLookup find(String tail) throws IOException {
        Path realRoot = root.toRealPath();
        Path at = realRoot;
        int from = 0;
        while (from < tail.length()) {
            int slash = tail.indexOf('/', from);
            int to = slash < 0 ? tail.length() : slash;
            String name = tail.substring(from, to);
            BasicFileAttributes attributes = isPublic(name) ? attributes(at, name) : null;
            if (attributes == null) {
                return NotFound.NOT_FOUND;
            }
            at = at.resolve(name);
            if (!attributes.isDirectory()) {
                return script(realRoot, at, attributes, tail.substring(to));
            }
            from = to + 1;
        }
        return NotFound.NOT_FOUND;
    }

    /// An empty name would be the folder itself; those that begin with a dot are hidden, and `..`
    /// is one of them. The server refuses separators and controls before; a mistake would run
    /// something.
    private static boolean isPublic(String name) {
        if (name.isEmpty() || name.startsWith(".") || name.indexOf('\\') >= 0) {
            return false;
        }
        return name.chars().noneMatch(Character::isISOControl)
                && name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX;
    }

    private static @Nullable BasicFileAttributes attributes(Path folder, String name)
            throws IOException {
        try {
            return Files.readAttributes(folder.resolve(name), BasicFileAttributes.class);
        } catch (NoSuchFileException | InvalidPathException _) {
            return null; // or a name that the file system has no bytes for
        } catch (FileSystemException e) {
            if (Files.isSymbolicLink(folder.resolve(name)) || !Files.isExecutable(folder)) {
                return null; // a circle of links, or a folder that may not be entered
            }
            throw e;
        }
    }

    private ScriptLookup script(
            Path realRoot, Path path, BasicFileAttributes attributes, String pathInfo)
            throws IOException {
        Path real = path.toRealPath();
        boolean isInside = real.startsWith(realRoot) && (isFollowingLinks || real.equals(path));
        if (!isInside || !attributes.isRegularFile()) {
            return NotFound.NOT_FOUND;
        }
        boolean isAllowed = requiresExecutable ? Files.isExecutable(real) : Files.isReadable(real);
        return isAllowed ? new Script(real, pathInfo) : Forbidden.FORBIDDEN;
    }
}
