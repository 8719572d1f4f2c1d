package dev.tandem.cgi;

import dev.tandem.cgi.ScriptLookup.Forbidden;
import dev.tandem.cgi.ScriptLookup.NotFound;
import dev.tandem.cgi.ScriptLookup.Script;
import dev.tandem.http.DiskNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Finds the programs below a folder by the paths of requests. Immutable and thread safe.
///
/// The first part of the path that is a file is the program; what follows is its `PATH_INFO`. The
/// program's real path must be inside the real root, and where the file system ignores case, names
/// must be written as on disk. A user with write access to the root could still replace a folder by
/// a link in the microseconds before the start, but that user is trusted with more anyway.
public final class ScriptFolder {
    /// The longest file name, in bytes (`NAME_MAX` of Linux).
    private static final int NAME_BYTES_MAX = 255;

    private final Path root;
    private final boolean isFollowingLinks;
    private final boolean requiresExecutable;
    private final DiskNames names;

    /// @throws IllegalArgumentException if `root` is not a folder
    ScriptFolder(Path root, boolean isFollowingLinks) {
        this(root, isFollowingLinks, true);
    }

    /// @param requiresExecutable whether a program must be an executable file; otherwise a readable
    ///     one
    /// @throws IllegalArgumentException if `root` is not a folder
    public ScriptFolder(Path root, boolean isFollowingLinks, boolean requiresExecutable) {
        if (!Files.isDirectory(root)) {
            throw new IllegalArgumentException("not a folder: " + root);
        }
        this.root = root.toAbsolutePath();
        this.isFollowingLinks = isFollowingLinks;
        this.requiresExecutable = requiresExecutable;
        this.names = DiskNames.of(root);
    }

    /// Looks the path up on disk. Blocks.
    ///
    /// @param tail the path below the root, decoded and without dot segments
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

    /// An empty name would be the folder itself; names that begin with a dot are hidden, including
    /// `..`. The server rejects separators and control characters earlier; here a mistake would
    /// execute a file.
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
            return null; // or the file system cannot represent the name
        } catch (FileSystemException e) {
            if (Files.isSymbolicLink(folder.resolve(name)) || !Files.isExecutable(folder)) {
                return null; // a cycle of links, or a folder without search permission
            }
            throw e;
        }
    }

    private ScriptLookup script(
            Path realRoot, Path path, BasicFileAttributes attributes, String pathInfo)
            throws IOException {
        Path real = path.toRealPath();
        boolean isInside = real.startsWith(realRoot) && (isFollowingLinks || real.equals(path));
        if (!isInside || !attributes.isRegularFile() || !names.areAsWritten(realRoot, path)) {
            return NotFound.NOT_FOUND;
        }
        boolean isAllowed = requiresExecutable ? Files.isExecutable(real) : Files.isReadable(real);
        return isAllowed ? new Script(real, pathInfo) : Forbidden.FORBIDDEN;
    }
}
