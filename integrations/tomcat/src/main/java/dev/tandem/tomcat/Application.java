package dev.tandem.tomcat;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Host;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ContextName;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.buf.UriUtil;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.jspecify.annotations.Nullable;

/// A web application and its versions. Each version of a WAR is unpacked into a folder of its own,
/// so that overwriting the file does not break the running version. Confined to one thread at a
/// time.
final class Application {
    private static final Log LOG = LogFactory.getLog(Application.class);

    /// Maximum time for the requests of an old version: 30 s. Then the version is stopped.
    private static final long DRAIN_MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    /// Time until a request that was mapped to the old version is certainly counted: 50 ms before
    /// each of two checks.
    private static final long MAPPED_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final ClassLoader PARENT_LOADER =
            new FilteredClassLoader(Application.class.getClassLoader());

    private final Tomcat tomcat;
    private final WorkFolder folders;
    private final String path;
    private final Path source;
    private final Classes classes;
    private final SourceWatcher watcher;
    private int number;
    private @Nullable Version current;
    private @Nullable Version draining;
    private long drainingSinceNanos;
    private int idleChecks;

    /// @param folder the version's files; a running context reports another name for it
    private record Version(
            StandardContext context,
            Path folder,
            MigratingSessionManager sessions,
            RequestCounter requests) {}

    /// Where an application's classes are loaded from.
    enum Classes {
        /// Its source; of our class path it sees only Tomcat.
        OWN,
        /// Our class path, then its source.
        CLASS_PATH_FIRST
    }

    /// State of the version that has been replaced.
    enum DrainState {
        /// There is no old version.
        NONE,
        /// Its requests are still running.
        DRAINING,
        /// It has finished its requests and has been stopped.
        DRAINED,
        /// It reached the maximum time and has been stopped with requests running.
        TERMINATED
    }

    /// @param path its context path; empty for the root
    /// @param source a WAR or a folder
    Application(Tomcat tomcat, WorkFolder folders, String path, Path source, Classes classes) {
        this.tomcat = tomcat;
        this.folders = folders;
        this.path = path;
        this.source = source;
        this.classes = classes;
        watcher = new SourceWatcher(source);
    }

    @Override
    public String toString() {
        return source + " at " + (path.isEmpty() ? "/" : path);
    }

    /// Adds the first version, which starts with its host.
    void deploy() throws IOException {
        watcher.markDeployed();
        current = createVersion(null);
    }

    boolean isRunning() {
        return current != null && current.context.getState().isAvailable();
    }

    /// Starts the current content of the source as a new version next to the running one, which
    /// then finishes the requests that it has: see [#drainOldVersion]. Must not be called while an
    /// earlier version is [draining][#drainOldVersion].
    ///
    /// @throws IOException if the new version does not start: the old one keeps running
    void startNewVersion() throws IOException {
        if (draining != null) {
            throw new IllegalStateException(this + ": an earlier version is still draining");
        }
        watcher.markDeployed();
        Version old = current;
        Version next;
        try {
            next = createVersion(old);
        } catch (IllegalArgumentException | IllegalStateException | LinkageError e) {
            LOG.error(this + " does not start", e);
            throw new IOException(this + " did not start (" + e + ")", e);
        }
        if (!next.context.getState().isAvailable()) {
            remove(next);
            throw new IOException(this + " did not start (see above)");
        }
        current = next;
        draining = old;
        idleChecks = 0;
        drainingSinceNanos = System.nanoTime();
    }

    /// Stops the old version if two checks have found it idle, or its maximum time since
    /// [#startNewVersion] has passed; migrates its sessions to the new version.
    DrainState drainOldVersion(long nowNanos) throws IOException {
        Version old = draining;
        Version next = current;
        if (old == null || next == null) {
            return DrainState.NONE;
        }
        boolean isIdle = old.requests.isIdle(old.context);
        if (isIdle && nowNanos - drainingSinceNanos < MAPPED_GRACE_NANOS) {
            return DrainState.DRAINING;
        }
        idleChecks = isIdle ? idleChecks + 1 : 0;
        boolean isDone = idleChecks >= 2;
        if (!isDone && nowNanos - drainingSinceNanos < DRAIN_MAX_NANOS) {
            return DrainState.DRAINING;
        }
        draining = null;
        try {
            next.sessions.migrateAll();
            old.sessions.expireAll();
        } finally {
            remove(old); // whatever happens to the sessions
        }
        return isDone ? DrainState.DRAINED : DrainState.TERMINATED;
    }

    private Version createVersion(@Nullable Version previous) throws IOException {
        number++;
        // The first version has no version in its name; Catalina compares the others as text.
        ContextName name = new ContextName(path, number == 1 ? "" : "%06d".formatted(number));
        Path folder = documentBase(name);
        var context = new StandardContext();
        context.setName(name.getName());
        context.setPath(path);
        context.setWebappVersion(name.getVersion());
        context.setDocBase(folder.toString());
        addLoader(context);
        // Tomcat's leak detection needs access to packages that the JDK does not open here.
        context.setClearReferencesThreadLocals(false);
        context.setClearReferencesRmiTargets(false);
        if (context.getJarScanner() instanceof StandardJarScanner scanner) {
            // Our own class path has no tags or fragments, and scanning it takes long.
            scanner.setScanClassPath(false);
        }
        Path contextFile = folder.resolve("META-INF/context.xml");
        if (Files.isReadable(contextFile)) {
            context.setConfigFile(contextFile.toUri().toURL());
        }
        var version =
                new Version(
                        context,
                        folder,
                        new MigratingSessionManager(previous == null ? null : previous.sessions),
                        new RequestCounter(endpoint()));
        context.setManager(version.sessions);
        context.getPipeline().addValve(version.requests);
        addTo(tomcat.getHost(), context);
        return version;
    }

    private TandemEndpoint endpoint() {
        return ((TandemProtocol) tomcat.getConnector().getProtocolHandler()).endpoint();
    }

    private void addLoader(StandardContext context) {
        if (classes == Classes.OWN) {
            context.setParentClassLoader(PARENT_LOADER);
            return;
        }
        context.setParentClassLoader(Application.class.getClassLoader());
        var loader = new WebappLoader();
        loader.setDelegate(true);
        context.setLoader(loader);
    }

    private void addTo(Host host, StandardContext context) {
        var config = new ContextConfig();
        config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
        context.addLifecycleListener(tomcat.getDefaultWebXmlListener());
        context.addLifecycleListener(config);
        context.addLifecycleListener(new SharedStoreName(new ContextName(path, "").getName()));
        try {
            host.addChild(context);
        } catch (IllegalStateException e) {
            LOG.error(this + " does not start", e); // its state shows it, too
        }
    }

    private Path documentBase(ContextName name) throws IOException {
        Path absolute = source.toAbsolutePath().normalize();
        if (!Files.isRegularFile(absolute)) {
            return absolute;
        }
        try {
            URL jarUrl = UriUtil.buildJarUrl(absolute.toFile());
            return Path.of(ExpandWar.expand(tomcat.getHost(), jarUrl, name.getBaseName()));
        } catch (IOException | IllegalArgumentException e) { // a path outside of the folder
            throw new IOException(source + " cannot be unpacked: " + e.getMessage(), e);
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

    /// Returns whether the source has changed since it was deployed.
    ///
    /// @param quietNanos how long the source must have been unchanged
    SourceWatcher.Change detectChange(long nowNanos, long quietNanos) throws IOException {
        return watcher.check(nowNanos, quietNanos);
    }
}
