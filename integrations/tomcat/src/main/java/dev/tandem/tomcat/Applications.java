package dev.tandem.tomcat;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.FileCache;
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
import org.apache.tomcat.util.modeler.Registry;

/// Web applications under Catalina on the Tandem connector: what `tandem run` starts.
///
/// ```java
/// try (var site = new Applications("127.0.0.1", 8080)) {
///     site.add("", Path.of("shop.war"));
///     site.start();
///     site.redeploy(""); // the current content of the file
/// }
/// ```
///
/// Not safe for use by several threads.
public final class Applications implements AutoCloseable {
    /// How long an application's source must have been unchanged before it is redeployed: 500 ms.
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// Interval of checks whether an old version has finished: 50 ms.
    private static final long POLL_MILLIS = 50;

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(TandemProtocol.class.getName());
    private final WorkFolder folders = WorkFolder.createTemporary();
    private final Map<String, Application> applications = new LinkedHashMap<>();

    /// @param host a name or address of this machine
    /// @param port 0 for a free one
    /// @throws IOException if no folder can be created for what Catalina writes
    public Applications(String host, int port) throws IOException {
        tomcat.setBaseDir(folders.home().toString());
        connector.setProperty("address", host);
        connector.setPort(port);
        connector.setThrowOnFailure(true);
        connector.setProperty("http2", "true");
        // There is no Tomcat that it replaces: idle connections stay until they are scarce.
        connector.setProperty("keepAliveTimeout", "-1");
        tomcat.setConnector(connector);
        tomcat.enableNaming();
        tomcat.getHost().setAutoDeploy(false);
        var pages = new ErrorReportValve();
        pages.setShowReport(false); // stack traces belong in the log
        pages.setShowServerInfo(false);
        tomcat.getHost().getPipeline().addValve(pages);
        // DriverManager looks for drivers once, with the class loader of the first application that
        // uses it: the second application, and the first one's next version, would find none.
        DriverManager.getDrivers();
    }

    /// Disables the MBeans of Catalina in this JVM, if called before the first one is registered,
    /// unless JMX is enabled by `-Dcom.sun.management.jmxremote`. For them Catalina parses
    /// descriptors in XML, and the platform's MBean server sets up JDK Flight Recorder: together a
    /// third of the time to the first response.
    public static void disableMBeans() {
        boolean isJmxEnabled =
                System.getProperties().stringPropertyNames().stream()
                        .anyMatch(name -> name.startsWith("com.sun.management.jmxremote"));
        if (!isJmxEnabled) {
            Registry.disableRegistry();
        }
    }

    /// For tests.
    Path home() {
        return folders.home();
    }

    /// Returns the connector, whose attributes may be set before [#start()].
    public Connector connector() {
        return connector;
    }

    /// Customizes the underlying server before it is bound, for example with a management address
    /// or another listener, which may use TLS.
    public Applications customizeServer(Consumer<Tandem> customizer) {
        ((TandemProtocol) connector.getProtocolHandler()).customizeServer(customizer);
        return this;
    }

    /// Fixes the number of workers, before [#start()]: it is not searched for.
    ///
    /// @param count 1 to 65,536
    public Applications setWorkers(int count) {
        ((TandemProtocol) connector.getProtocolHandler())
                .customizeOptions(
                        options ->
                                options.withThreads(
                                        t -> t.withWorkersMax(count).withWorkersMin(count)));
        return this;
    }

    /// Sets a cache for the applications' files, before [#start()].
    ///
    /// @param cache closed by the caller, after this
    public Applications setFileCache(FileCache cache) {
        ((TandemProtocol) connector.getProtocolHandler()).setFileCache(cache);
        return this;
    }

    /// Sets what adds headers to the responses of all applications, before [#start()].
    public Applications setResponseHeaders(ConnectorHeaders headers) {
        ((TandemProtocol) connector.getProtocolHandler()).setResponseHeaders(headers);
        return this;
    }

    /// Adds an application, before [#start()].
    ///
    /// @param path its context path, such as `/shop`; empty or `/` for the root
    /// @param source a WAR file, or a folder with the content of one
    /// @throws IllegalArgumentException if `path` is not a path, or has an application already;
    ///     names it
    /// @throws IOException if the source does not exist or cannot be read; names it
    public Applications add(String path, Path source) throws IOException {
        return add(path, source, Application.Classes.OWN);
    }

    /// Adds an application whose classes and libraries are on this process's class path: they are
    /// loaded from there, as a part of the process, so that the JVM's AOT cache may hold them. What
    /// is not there is loaded from the source. As [#add], otherwise.
    public Applications addEmbedded(String path, Path source) throws IOException {
        return add(path, source, Application.Classes.CLASS_PATH_FIRST);
    }

    private Applications add(String path, Path source, Application.Classes classes)
            throws IOException {
        String known = path.equals("/") ? "" : path;
        if (!known.matches("(/[A-Za-z0-9._~-]+)*")) {
            throw new IllegalArgumentException("'" + path + "' must be a path such as /shop");
        }
        boolean isWar = Files.isRegularFile(source) && source.toString().endsWith(".war");
        if (!isWar && !Files.isDirectory(source)) {
            String what =
                    Files.exists(source) ? "is neither a .war nor a folder" : "does not exist";
            throw new IOException(source + " " + what + ": give a WAR, or a folder with WEB-INF");
        }
        var application = new Application(tomcat, folders, known, source, classes);
        Application other = applications.putIfAbsent(known, application);
        if (other != null) {
            throw new IllegalArgumentException(
                    application + ": " + other + " is there already: give another path");
        }
        application.deploy();
        return this;
    }

    /// Starts serving.
    ///
    /// @throws IOException if the address is in use, or an application does not start; names it,
    ///     and the log has details
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

    /// Returns the underlying server, to wait for its end or to read its state. After [#start()].
    public Server server() {
        return Objects.requireNonNull(
                ((TandemProtocol) connector.getProtocolHandler()).server(), "not started");
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// Deploys the current content of an application's source. New requests, and all sessions, go
    /// to the new version at once; returns when the old version's requests have finished, or after
    /// 30 s.
    ///
    /// @param path as it was added
    /// @return whether all of them have finished
    /// @throws IllegalArgumentException if there is no application at `path`
    /// @throws IOException if the new version does not start: the old one keeps running
    public boolean redeploy(String path) throws IOException, InterruptedException {
        Application application = applications.get(path.equals("/") ? "" : path);
        if (application == null) {
            throw new IllegalArgumentException("no application is at " + path);
        }
        boolean isFinished = awaitDrained(application);
        application.startNewVersion();
        return awaitDrained(application) && isFinished;
    }

    /// Returns whether the previous version has finished all requests.
    private static boolean awaitDrained(Application application)
            throws IOException, InterruptedException {
        Application.DrainState state = application.drainOldVersion(System.nanoTime());
        while (state == Application.DrainState.DRAINING) {
            Thread.sleep(POLL_MILLIS);
            state = application.drainOldVersion(System.nanoTime());
        }
        return state != Application.DrainState.TERMINATED;
    }

    /// Redeploys the applications that have changed since they were started, and whose sources have
    /// not changed for half a second since an earlier call; stops old versions that have finished,
    /// or whose 30 s have passed. To be called about once a second; does not wait for requests.
    ///
    /// @param log receives a line for each redeployment and failure. After a failure the old
    ///     version keeps running, and the application is redeployed when it changes again
    public void redeployChanged(Consumer<String> log) {
        for (Application application : applications.values()) {
            try {
                if (drainOld(application, log)) {
                    redeployIfChanged(application, log);
                }
            } catch (IOException e) {
                log.accept(e.getMessage() + ": the running version stays");
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                log.accept(
                        application + ": " + e); // a defect of ours must not stop all redeployment
            }
        }
    }

    /// Returns whether a new version may be started.
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
            case REMOVED ->
                    log.accept(application + " has been removed: the running version stays");
            case CHANGED -> {
                log.accept(application + " has changed: redeploying");
                application.startNewVersion();
                log.accept(application + " has been redeployed");
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
