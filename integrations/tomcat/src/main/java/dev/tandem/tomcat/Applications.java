package dev.tandem.tomcat;

import dev.tandem.Server;
import dev.tandem.Tandem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;

/// Web applications under Catalina on our connector: what `tandem run` starts.
///
/// ```java
/// try (var site = new Applications("127.0.0.1", 8080)) {
///     site.add("", Path.of("shop.war"));
///     site.start();
///     site.redeploy(""); // what is there now
/// }
/// ```
///
/// Not safe for use by several threads.
public final class Applications implements AutoCloseable {
    /// How long an application must have been left alone before it begins anew: 500 ms.
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// How often it is looked whether an old version has finished: 50 ms.
    private static final long POLL_MILLIS = 50;

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(TandemProtocol.class.getName());
    private final WorkFolder folders = WorkFolder.createTemporary();
    private final Map<String, Application> applications = new LinkedHashMap<>();

    /// @param host a name or address of this machine
    /// @param port 0 takes one that is free
    /// @throws IOException if no folder can be made for what Catalina writes
    public Applications(String host, int port) throws IOException {
        tomcat.setBaseDir(folders.home().toString());
        connector.setProperty("address", host);
        connector.setPort(port);
        connector.setThrowOnFailure(true);
        tomcat.setConnector(connector);
        tomcat.enableNaming();
        tomcat.getHost().setAutoDeploy(false);
        var pages = new ErrorReportValve();
        pages.setShowReport(false); // traces are for the log
        pages.setShowServerInfo(false);
        tomcat.getHost().getPipeline().addValve(pages);
        // It looks for drivers once, and would do so with the eyes of the first application that
        // asks: none would be found for the second, nor for the first one's next version.
        DriverManager.getDrivers();
    }

    /// For tests.
    Path home() {
        return folders.home();
    }

    /// The connector, to set its attributes before [#start()].
    public Connector connector() {
        return connector;
    }

    /// Has more done to the server underneath before it is bound, such as a management address or
    /// another listener, which may speak TLS.
    public Applications customizeServer(Consumer<Tandem> customizer) {
        ((TandemProtocol) connector.getProtocolHandler()).customizeServer(customizer);
        return this;
    }

    /// Adds an application, before [#start()].
    ///
    /// @param path where it is, such as `/shop`; empty or `/` for the root
    /// @param source a WAR file, or a folder with what would be in one
    /// @throws IllegalArgumentException if `path` is none, or has an application; says which
    /// @throws IOException if nothing is there, or it cannot be read; names it
    public Applications add(String path, Path source) throws IOException {
        String known = path.equals("/") ? "" : path;
        if (!known.matches("(/[A-Za-z0-9._~-]+)*")) {
            throw new IllegalArgumentException("'" + path + "' must be a path such as /shop");
        }
        boolean isWar = Files.isRegularFile(source) && source.toString().endsWith(".war");
        if (!isWar && !Files.isDirectory(source)) {
            String what = Files.exists(source) ? "is neither a .war nor a folder" : "is not there";
            throw new IOException(source + " " + what + ": give a WAR, or a folder with WEB-INF");
        }
        var application = new Application(tomcat, folders, known, source);
        Application other = applications.putIfAbsent(known, application);
        if (other != null) {
            throw new IllegalArgumentException(
                    application + ": " + other + " is there: give another path");
        }
        application.deploy();
        return this;
    }

    /// Starts to serve.
    ///
    /// @throws IOException if the address is taken, or an application does not start: names it; the
    ///     log says more
    public void start() throws IOException {
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw startFailure(e);
        }
        for (Application application : applications.values()) {
            if (!application.isRunning()) {
                throw new IOException(application + " did not start: see above");
            }
        }
    }

    private IOException startFailure(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && !(root instanceof IOException)) {
            root = root.getCause();
        }
        if (root instanceof IOException io) {
            return io;
        }
        var failed = new ArrayList<String>();
        applications.values().stream()
                .filter(application -> !application.isRunning())
                .forEach(application -> failed.add(application.toString()));
        return new IOException(String.join(", ", failed) + " did not start: " + root, failure);
    }

    /// The server underneath: to wait for its end, or ask how it fares. After [#start()].
    public Server server() {
        return Objects.requireNonNull(
                ((TandemProtocol) connector.getProtocolHandler()).server(), "not started");
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// Starts what is in an application's place now. New requests come to it at once, with the
    /// sessions that there are; returns when those of the old version are done, or after 30 s.
    ///
    /// @param path as it was added
    /// @return whether all of them were done
    /// @throws IllegalArgumentException if there is none at `path`
    /// @throws IOException if the new one does not start: the old one goes on
    public boolean redeploy(String path) throws IOException, InterruptedException {
        Application application = applications.get(path.equals("/") ? "" : path);
        if (application == null) {
            throw new IllegalArgumentException("no application is at " + path);
        }
        boolean isFinished = awaitDrained(application);
        application.startNewVersion();
        return awaitDrained(application) && isFinished;
    }

    /// Whether the version before could finish everything.
    private static boolean awaitDrained(Application application)
            throws IOException, InterruptedException {
        Application.DrainState state = application.drainOldVersion(System.nanoTime());
        while (state == Application.DrainState.DRAINING) {
            Thread.sleep(POLL_MILLIS);
            state = application.drainOldVersion(System.nanoTime());
        }
        return state != Application.DrainState.TERMINATED;
    }

    /// Begins those anew that have changed since they were started, and were left alone for half
    /// a second since an earlier look; ends old versions that have finished, or have had their
    /// 30 s. To be called every second or so; it waits for no request.
    ///
    /// @param log is told of each, and of what went wrong: what ran then goes on, and is begun
    ///     anew when it has changed again
    public void redeployChanged(Consumer<String> log) {
        for (Application application : applications.values()) {
            try {
                if (drainOld(application, log)) {
                    redeployIfChanged(application, log);
                }
            } catch (IOException e) {
                log.accept(e.getMessage() + ": what runs goes on");
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                log.accept(
                        application
                                + ": "
                                + e); // a bug of ours, which must not end all redeploying
            }
        }
    }

    /// Whether a new version may be begun.
    private static boolean drainOld(Application application, Consumer<String> log)
            throws IOException {
        Application.DrainState state = application.drainOldVersion(System.nanoTime());
        if (state == Application.DrainState.TERMINATED) {
            log.accept(application + ": requests of its old version were cut off");
        }
        return state != Application.DrainState.DRAINING;
    }

    private static void redeployIfChanged(Application application, Consumer<String> log)
            throws IOException {
        switch (application.detectChange(System.nanoTime(), QUIET_NANOS)) {
            case NONE -> {}
            case REMOVED -> log.accept(application + " is gone: what runs goes on");
            case CHANGED -> {
                log.accept(application + " has changed: begins anew");
                application.startNewVersion();
                log.accept(application + " is new");
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw startFailure(e);
        } finally {
            folders.delete(folders.home());
        }
    }
}
