package dev.tandem.files;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.jar.JarEntry;
import org.jspecify.annotations.Nullable;

/// Finds resources of a class loader that are files.
final class ResourceLoader {
    /// The date of what is in jars. The times of their entries are the same for every build that is
    /// reproducible, whatever the content, so they would let clients keep what has changed.
    private static final long START_SECONDS = InstantSource.system().instant().getEpochSecond();

    /// A change within two seconds of another may have the same time ([FileMetadata]).
    private static final long TICK_MAX_SECONDS = 2;

    private final ClassLoader loader;
    private final String folder;

    /// @param folder of the class path, without a slash at either end
    ResourceLoader(ClassLoader loader, String folder) {
        this.loader = loader;
        this.folder = folder;
    }

    /// Where a resource comes from.
    sealed interface Source {
        InputStream open() throws IOException;

        /// Returns when it was modified last, in seconds since 1970-01-01T00:00Z; -1 if that is too
        /// recent to identify a state.
        long modifiedSeconds();

        /// Returns whether it cannot change.
        boolean isFixed();

        /// Returns whether it is as it was found. Blocks.
        boolean isCurrent();

        /// Returns whether it was certainly made before another, so that it is no variant of that.
        boolean isOlderThan(Source other);
    }

    /// An entry of a jar, or of a run-time image.
    private record Entry(URL url) implements Source {
        @Override
        public InputStream open() throws IOException {
            return connection(url).getInputStream();
        }

        @Override
        public long modifiedSeconds() {
            return START_SECONDS;
        }

        @Override
        public boolean isFixed() {
            return true;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public boolean isOlderThan(Source other) {
            return false;
        }
    }

    /// A file in a folder of the class path.
    private record PlainFile(Path path, FileSnapshot snapshot, long modifiedSeconds)
            implements Source {
        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        }

        @Override
        public boolean isFixed() {
            return false;
        }

        @Override
        public boolean isCurrent() {
            try {
                return modifiedSeconds >= 0 && FileSnapshot.of(path).equals(snapshot);
            } catch (IOException _) {
                return false;
            }
        }

        @Override
        public boolean isOlderThan(Source other) {
            return other instanceof PlainFile file
                    && snapshot.stamp().modifiedSeconds() + TICK_MAX_SECONDS
                            < file.snapshot.stamp().modifiedSeconds();
        }
    }

    /// Returns the first resource with a name below the folder that is a file; null if there is
    /// none, or if the first of that name is a folder.
    @Nullable Source find(String name) throws IOException {
        URL url = loader.getResource(folder + "/" + name);
        if (url == null) {
            return null;
        }
        return url.getProtocol().equals("file") ? file(url, name) : entry(url);
    }

    private static @Nullable Source file(URL url, String name) throws IOException {
        Path path = Path.of(uri(url));
        FileSnapshot snapshot;
        try {
            if (leadsElsewhere(path, name)) {
                return null;
            }
            snapshot = FileSnapshot.of(path);
        } catch (NoSuchFileException _) {
            return null;
        }
        if (!snapshot.stamp().isRegular()) {
            return null;
        }
        long seconds = snapshot.stamp().modifiedSeconds();
        long now = InstantSource.system().instant().getEpochSecond();
        boolean isStable = seconds <= now - TICK_MAX_SECONDS;
        return new PlainFile(path, snapshot, isStable ? seconds : -1);
    }

    /// Returns whether a link on the way from the folder to a file leads elsewhere.
    private static boolean leadsElsewhere(Path path, String name) throws IOException {
        Path below = Path.of(name);
        Path root = path;
        for (int i = 0; i < below.getNameCount() && root != null; i++) {
            root = root.getParent();
        }
        return root == null || !path.toRealPath().equals(root.toRealPath().resolve(below));
    }

    private static URI uri(URL url) throws IOException {
        try {
            return url.toURI();
        } catch (URISyntaxException e) {
            throw new IOException("not a path: " + url, e);
        }
    }

    private static @Nullable Source entry(URL url) throws IOException {
        URLConnection connection = connection(url);
        // Closed, since it opens the jar.
        try (InputStream _ = connection.getInputStream()) {
            JarEntry entry = connection instanceof JarURLConnection jar ? jar.getJarEntry() : null;
            return entry != null && entry.isDirectory() ? null : new Entry(url);
        }
    }

    /// Without the JDK's cache of jars, whose entries stay open.
    private static URLConnection connection(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        return connection;
    }
}
