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
final class Watched {
    private static final Set<FileVisitOption> FOLLOWING = Set.of(FileVisitOption.FOLLOW_LINKS);

    private final Path place;
    private Sight taken = Sight.NOTHING;
    private Sight last = Sight.NOTHING;
    private long lastNanos;

    /// What a look has told.
    enum News {
        NONE,
        CHANGED,
        GONE
    }

    /// @param count of files and folders
    /// @param sum of what is known of each of them
    private record Sight(int count, long sum) {
        static final Sight NOTHING = new Sight(0, 0);

        Sight with(Path file, BasicFileAttributes known) {
            long one = file.hashCode();
            one = one * 31 + (known.isDirectory() ? 0 : known.size());
            one = one * 31 + known.lastModifiedTime().toMillis();
            one *= 0x9E37_79B9_7F4A_7C15L; // spread: small differences must not cancel out
            return new Sight(count + 1, sum + (one ^ one >>> 32));
        }
    }

    /// Adds up what it meets; what goes meanwhile is passed over.
    private static final class Tour extends SimpleFileVisitor<Path> {
        private Sight sight = Sight.NOTHING;

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes known) {
            return visitFile(folder, known);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes known) {
            sight = sight.with(file, known);
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

    /// @param place a WAR, or a folder, of which is looked at what is read when it starts: classes,
    ///     libraries and the configuration beside them. Not all of `WEB-INF`: an application that
    ///     keeps files of its own there would be begun anew by each that it writes
    Watched(Path place) {
        this.place = place;
    }

    /// Notes what is there now, before it is taken: a change meanwhile is then seen later.
    void takes() throws IOException {
        taken = look();
        last = taken;
    }

    /// Also after it has told of a change: what is there counts as taken then, so that one that
    /// cannot be started is tried once.
    ///
    /// @param quietNanos how long it must have been left alone, so that no half of a copy is taken
    News look(long nowNanos, long quietNanos) throws IOException {
        Sight now = look();
        if (!now.equals(last)) {
            last = now;
            lastNanos = nowNanos;
        }
        if (now.equals(taken) || nowNanos - lastNanos < quietNanos) {
            return News.NONE;
        }
        taken = now;
        return now.equals(Sight.NOTHING) ? News.GONE : News.CHANGED;
    }

    private Sight look() throws IOException {
        var tour = new Tour();
        if (Files.isDirectory(place)) {
            tour.sight = new Sight(1, 0); // it is there, whatever it holds
            Path inside = place.resolve("WEB-INF");
            walk(inside.resolve("classes"), tour);
            walk(inside.resolve("lib"), tour);
            walk(place.resolve("META-INF/context.xml"), tour);
            configuration(inside, tour);
        } else {
            walk(place, tour);
        }
        return tour.sight;
    }

    private static void configuration(Path folder, Tour tour) throws IOException {
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder, "*.{xml,properties}")) {
                for (Path file : files) {
                    walk(file, tour);
                }
            } catch (NoSuchFileException _) {
                // It went meanwhile.
            }
        }
    }

    private static void walk(Path start, Tour tour) throws IOException {
        Files.walkFileTree(start, FOLLOWING, Integer.MAX_VALUE, tour);
    }
}
