package dev.tandem.tomcat;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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

    /// How long the requests of an old version may take: 30 s. Then it is stopped all the same.
    private static final long FINISH_NANOS = TimeUnit.SECONDS.toNanos(30);

    /// How long a request that was mapped to the old version may take until it is counted: 50 ms
    /// before each of two looks.
    private static final long MAPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final ClassLoader SHOWN = new ShownClasses(Application.class.getClassLoader());

    private final Tomcat tomcat;
    private final Folders folders;
    private final String path;
    private final Path place;
    private final Watched watched;
    private int number;
    private @Nullable Version current;
    private @Nullable Version ending;
    private long endingNanos;
    private int idleLooks;

    /// @param folder what its files are in; once it runs, its context tells another name of it
    private record Version(
            StandardContext context, Path folder, CarriedSessions sessions, InProgress requests) {}

    /// What becomes of a version that is not the newest any more.
    enum End {
        /// There is none.
        NONE,
        /// Requests of it run.
        WAITS,
        /// It has finished them, and has been stopped.
        FINISHED,
        /// It had its time, and has been stopped all the same.
        CUT_OFF
    }

    /// @param path where it is; empty for the root
    /// @param place a WAR or a folder
    Application(Tomcat tomcat, Folders folders, String path, Path place) {
        this.tomcat = tomcat;
        this.folders = folders;
        this.path = path;
        this.place = place;
        watched = new Watched(place);
    }

    @Override
    public String toString() {
        return place + " at " + (path.isEmpty() ? "/" : path);
    }

    /// Adds the first version, which starts when its host does.
    void deploy() throws IOException {
        watched.takes();
        current = make(null);
    }

    boolean runs() {
        return current != null && current.context.getState().isAvailable();
    }

    /// Starts what is in its place now beside what runs, which then finishes what it has begun:
    /// see [#end]. Not while an earlier version [ends][#end].
    ///
    /// @throws IOException if the new one does not start: the old one goes on
    void begin() throws IOException {
        if (ending != null) {
            throw new IllegalStateException(this + ": an earlier version has not ended");
        }
        watched.takes();
        Version old = current;
        Version next;
        try {
            next = make(old);
        } catch (IllegalArgumentException | IllegalStateException | LinkageError e) {
            LOG.error(this + " does not start", e);
            throw new IOException(this + " did not start (" + e + ")", e);
        }
        if (!next.context.getState().isAvailable()) {
            remove(next);
            throw new IOException(this + " did not start (see above)");
        }
        current = next;
        ending = old;
        idleLooks = 0;
        endingNanos = System.nanoTime();
    }

    /// Stops the version before, if two looks have found it idle, or it has had its time since
    /// [#begin]; gives its sessions to the newest.
    End end(long nowNanos) throws IOException {
        Version old = ending;
        Version next = current;
        if (old == null || next == null) {
            return End.NONE;
        }
        boolean isIdle = old.requests.isNone(old.context);
        if (isIdle && nowNanos - endingNanos < MAPPED_NANOS) {
            return End.WAITS;
        }
        idleLooks = isIdle ? idleLooks + 1 : 0;
        boolean isDone = idleLooks >= 2;
        if (!isDone && nowNanos - endingNanos < FINISH_NANOS) {
            return End.WAITS;
        }
        ending = null;
        try {
            next.sessions.takeAll();
            old.sessions.leave();
        } finally {
            remove(old); // whatever sessions do
        }
        return isDone ? End.FINISHED : End.CUT_OFF;
    }

    private Version make(@Nullable Version before) throws IOException {
        number++;
        // The first has no version in its name; Catalina compares the others as text.
        ContextName name = new ContextName(path, number == 1 ? "" : "%06d".formatted(number));
        Path folder = folder(name);
        var context = new StandardContext();
        context.setName(name.getName());
        context.setPath(path);
        context.setWebappVersion(name.getVersion());
        context.setDocBase(folder.toString());
        context.setParentClassLoader(SHOWN);
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
                        folder,
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
        } catch (IOException | IllegalArgumentException e) { // a path that leads out of it
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
        folders.delete(version.folder);
    }

    /// Whether what is in its place has changed since it was taken from there.
    ///
    /// @param quietNanos how long it must have been left alone
    Watched.News news(long nowNanos, long quietNanos) throws IOException {
        return watched.look(nowNanos, quietNanos);
    }
}
