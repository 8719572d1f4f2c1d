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

/// Looks whether what lies in an application's place is still what was taken from there, by names,
/// lengths and dates, whichever these are: one that goes, or has a date to come, is a change, too.
/// Confined to one thread at a time.
final class SourceWatcher {
    private static final Set<FileVisitOption> FOLLOWING = Set.of(FileVisitOption.FOLLOW_LINKS);

    private final Path source;
    private Snapshot deployed = Snapshot.EMPTY;
    private Snapshot lastSeen = Snapshot.EMPTY;
    private long changedNanos;

    /// What a look has told.
    enum Change {
        NONE,
        CHANGED,
        REMOVED
    }

    /// @param count of files and folders
    /// @param sum of what is known of each of them
    private record Snapshot(int count, long sum) {
        static final Snapshot EMPTY = new Snapshot(0, 0);

        Snapshot with(Path file, BasicFileAttributes attributes) {
            long hash = file.hashCode();
            hash = hash * 31 + (attributes.isDirectory() ? 0 : attributes.size());
            hash = hash * 31 + attributes.lastModifiedTime().toMillis();
            hash *= 0x9E37_79B9_7F4A_7C15L; // spread: small differences must not cancel out
            return new Snapshot(count + 1, sum + (hash ^ hash >>> 32));
        }
    }

    /// Adds up what it meets; what goes meanwhile is passed over.
    private static final class SnapshotVisitor extends SimpleFileVisitor<Path> {
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

    /// @param source a WAR, or a folder, of which is looked at what is read when it starts:
    ///     classes, libraries and the configuration beside them. Not all of `WEB-INF`: an
    ///     application that keeps files of its own there would be begun anew by each that it writes
    SourceWatcher(Path source) {
        this.source = source;
    }

    /// Notes what is there now, before it is taken: a change meanwhile is then seen later.
    void markDeployed() throws IOException {
        deployed = snapshot();
        lastSeen = deployed;
    }

    /// Also after it has told of a change: what is there counts as taken then, so that one that
    /// cannot be started is tried once.
    ///
    /// @param quietNanos how long it must have been left alone, so that no half of a copy is taken
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
        var visitor = new SnapshotVisitor();
        if (Files.isDirectory(source)) {
            visitor.snapshot = new Snapshot(1, 0); // it is there, whatever it holds
            Path webInf = source.resolve("WEB-INF");
            walk(webInf.resolve("classes"), visitor);
            walk(webInf.resolve("lib"), visitor);
            walk(source.resolve("META-INF/context.xml"), visitor);
            addConfiguration(webInf, visitor);
        } else {
            walk(source, visitor);
        }
        return visitor.snapshot;
    }

    private static void addConfiguration(Path folder, SnapshotVisitor visitor) throws IOException {
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder, "*.{xml,properties}")) {
                for (Path file : files) {
                    walk(file, visitor);
                }
            } catch (NoSuchFileException _) {
                // It went meanwhile.
            }
        }
    }

    private static void walk(Path start, SnapshotVisitor visitor) throws IOException {
        Files.walkFileTree(start, FOLLOWING, Integer.MAX_VALUE, visitor);
    }
}
