package dev.tandem.tomcat;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.catalina.Host;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ContextName;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.buf.UriUtil;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.jspecify.annotations.Nullable;

/// An application and its versions: a WAR is unpacked for each anew, so that a file that is written
/// over breaks nothing that runs. Confined to one thread at a time.
final class Application {
    private static final Log LOG = LogFactory.getLog(Application.class);
    private static final String INSIDE = "WEB-INF";

    /// How long the requests of an old version may take: 30 s. Then it is stopped all the same.
    private static final long FINISH_MILLIS = 30_000;

    private final Tomcat tomcat;
    private final Folders folders;
    private final String path;
    private final Path place;
    private int number;
    private long seenMillis;
    private @Nullable Version current;

    private record Version(
            StandardContext context, CarriedSessions sessions, InProgress requests) {}

    /// @param path where it is; empty for the root
    /// @param place a WAR or a folder
    Application(Tomcat tomcat, Folders folders, String path, Path place) {
        this.tomcat = tomcat;
        this.folders = folders;
        this.path = path;
        this.place = place;
    }

    @Override
    public String toString() {
        return place + " at " + (path.isEmpty() ? "/" : path);
    }

    /// Adds the first version, which starts when its host does.
    void deploy() throws IOException {
        current = make(null);
    }

    boolean runs() {
        return current != null && current.context.getState().isAvailable();
    }

    /// Starts what is in its place now beside what runs, which then finishes what it has begun.
    ///
    /// @return whether the old version had finished everything
    /// @throws IOException if the new one does not start: the old one goes on
    boolean redeploy() throws IOException, InterruptedException {
        Version old = current;
        Version next = make(old);
        if (!next.context.getState().isAvailable()) {
            remove(next);
            throw new IOException(this + " did not start and stays as it was: see above");
        }
        current = next;
        if (old == null) {
            return true;
        }
        boolean isDone = old.requests.awaitNone(old.context, FINISH_MILLIS);
        next.sessions.takeAll();
        old.sessions.leave();
        remove(old);
        return isDone;
    }

    private Version make(@Nullable Version before) throws IOException {
        seenMillis = changedMillis();
        number++;
        // The first has no version in its name; Catalina compares the others as text.
        ContextName name = new ContextName(path, number == 1 ? "" : "%06d".formatted(number));
        Path folder = folder(name);
        var context = new StandardContext();
        context.setName(name.getName());
        context.setPath(path);
        context.setWebappVersion(name.getVersion());
        context.setDocBase(folder.toString());
        context.setParentClassLoader(Application.class.getClassLoader());
        // Tomcat's looks for leaks need doors into the JDK that are closed here.
        context.setClearReferencesThreadLocals(false);
        context.setClearReferencesRmiTargets(false);
        if (context.getJarScanner() instanceof StandardJarScanner scanner) {
            // What is on our own class path has no tags or fragments, and takes long to look at.
            scanner.setScanClassPath(false);
        }
        Path own = folder.resolve("META-INF/context.xml");
        if (Files.isReadable(own)) {
            context.setConfigFile(own.toUri().toURL());
        }
        var version =
                new Version(
                        context,
                        new CarriedSessions(before == null ? null : before.sessions),
                        new InProgress());
        context.setManager(version.sessions);
        context.getPipeline().addValve(version.requests);
        addTo(tomcat.getHost(), context);
        return version;
    }

    private void addTo(Host host, StandardContext context) {
        var config = new ContextConfig();
        config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
        context.addLifecycleListener(tomcat.getDefaultWebXmlListener());
        context.addLifecycleListener(config);
        context.addLifecycleListener(new StoreName(new ContextName(path, "").getName()));
        try {
            host.addChild(context);
        } catch (IllegalStateException e) {
            LOG.error(this + " does not start", e); // its state tells, too
        }
    }

    private Path folder(ContextName name) throws IOException {
        Path whole = place.toAbsolutePath().normalize();
        if (!Files.isRegularFile(whole)) {
            return whole;
        }
        try {
            URL inside = UriUtil.buildJarUrl(whole.toFile());
            return Path.of(ExpandWar.expand(tomcat.getHost(), inside, name.getBaseName()));
        } catch (IOException e) {
            throw new IOException(place + " cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private void remove(Version version) throws IOException {
        Host host = tomcat.getHost();
        String work = version.context.getWorkPath();
        host.removeChild(version.context);
        if (work != null) {
            folders.delete(Path.of(work));
        }
        folders.delete(Path.of(version.context.getDocBase()));
    }

    // ---- Whether it has changed.

    /// @param quietMillis how long it must have been left alone, so that no half of a copy is read
    boolean hasChanged(long nowMillis, long quietMillis) throws IOException {
        long changed = changedMillis();
        return changed != 0 && changed != seenMillis && nowMillis - changed > quietMillis;
    }

    /// When its file was last changed; for a folder, its descriptor, classes and libraries. 0 if
    /// nothing is there.
    private long changedMillis() throws IOException {
        if (Files.isRegularFile(place)) {
            return changedOf(place);
        }
        Path inside = place.resolve(INSIDE);
        if (!Files.isDirectory(inside)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(inside)) {
            return all.mapToLong(Application::changedOf).max().orElse(0);
        }
    }

    private static long changedOf(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return 0; // it has just gone; what comes in its place will be seen
        }
    }
}
