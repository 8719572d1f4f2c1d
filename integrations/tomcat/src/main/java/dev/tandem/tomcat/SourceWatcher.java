package dev.tandem.tomcat;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Detects changes of an application's source, compared with what was deployed, by names, lengths
/// and dates. Any difference counts: a deleted file, or a date in the future, is a change, too.
/// Confined to one thread at a time.
final class SourceWatcher {
    private static final Set<FileVisitOption> FOLLOWING = Set.of(FileVisitOption.FOLLOW_LINKS);

    private final Path source;
    private Snapshot deployed = Snapshot.EMPTY;
    private Snapshot lastSeen = Snapshot.EMPTY;
    private long changedNanos;

    /// Result of a check.
    enum Change {
        NONE,
        CHANGED,
        REMOVED
    }

    /// @param count of files and folders
    /// @param sum a hash of the names, lengths and dates of all of them
    private record Snapshot(int count, long sum) {
        static final Snapshot EMPTY = new Snapshot(0, 0);

        Snapshot with(Path file, BasicFileAttributes attributes) {
            long hash = file.hashCode();
            hash = hash * 31 + (attributes.isDirectory() ? 0 : attributes.size());
            hash = hash * 31 + attributes.lastModifiedTime().toMillis();
            // Spread the bits: small differences must not cancel out.
            hash *= 0x9E37_79B9_7F4A_7C15L;
            return new Snapshot(count + 1, sum + (hash ^ hash >>> 32));
        }
    }

    /// Collects a snapshot; files that disappear meanwhile are skipped.
    private static final class SnapshotWalker extends SimpleFileVisitor<Path> {
        private Snapshot snapshot = Snapshot.EMPTY;

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return visitFile(folder, attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            snapshot = snapshot.with(file, attributes);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
            return FileVisitResult.CONTINUE;
        }
    }

    /// @param source a WAR, or a folder, of which only what is read at a start is watched: classes,
    ///     libraries and the configuration next to them. Not all of `WEB-INF`: an application that
    ///     stores files there would be redeployed whenever it writes one
    SourceWatcher(Path source) {
        this.source = source;
    }

    /// Records the current state as deployed, before the source is read: a change meanwhile is then
    /// detected later.
    void markDeployed() throws IOException {
        deployed = snapshot();
        lastSeen = deployed;
    }

    /// Returns whether the source has changed. After a change has been returned, the current state
    /// counts as deployed, so that a version that cannot be started is tried once.
    ///
    /// @param quietNanos how long the source must have been unchanged, so that no half-copied file
    ///     is deployed
    Change check(long nowNanos, long quietNanos) throws IOException {
        Snapshot now = snapshot();
        if (!now.equals(lastSeen)) {
            lastSeen = now;
            changedNanos = nowNanos;
        }
        if (now.equals(deployed) || nowNanos - changedNanos < quietNanos) {
            return Change.NONE;
        }
        deployed = now;
        return now.equals(Snapshot.EMPTY) ? Change.REMOVED : Change.CHANGED;
    }

    private Snapshot snapshot() throws IOException {
        var walker = new SnapshotWalker();
        if (Files.isDirectory(source)) {
            // An existing folder is not EMPTY, even without content.
            walker.snapshot = new Snapshot(1, 0);
            Path webInf = source.resolve("WEB-INF");
            walk(webInf.resolve("classes"), walker);
            walk(webInf.resolve("lib"), walker);
            walk(source.resolve("META-INF/context.xml"), walker);
            addConfiguration(webInf, walker);
        } else {
            walk(source, walker);
        }
        return walker.snapshot;
    }

    private static void addConfiguration(Path folder, SnapshotWalker walker) throws IOException {
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder, "*.{xml,properties}")) {
                for (Path file : files) {
                    walk(file, walker);
                }
            } catch (NoSuchFileException _) {
                // It has been deleted meanwhile.
            }
        }
    }

    private static void walk(Path start, SnapshotWalker walker) throws IOException {
        Files.walkFileTree(start, FOLLOWING, Integer.MAX_VALUE, walker);
    }
}
