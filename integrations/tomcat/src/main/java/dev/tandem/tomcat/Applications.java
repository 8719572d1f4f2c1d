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
    private static final long LOOK_MILLIS = 50;

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(TandemProtocol.class.getName());
    private final Folders folders = Folders.temporary();
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
    public Applications prepare(Consumer<Tandem> more) {
        ((TandemProtocol) connector.getProtocolHandler()).prepare(more);
        return this;
    }

    /// Adds an application, before [#start()].
    ///
    /// @param path where it is, such as `/shop`; empty or `/` for the root
    /// @param place a WAR file, or a folder with what would be in one
    /// @throws IllegalArgumentException if `path` is none, or has an application; says which
    /// @throws IOException if nothing is there, or it cannot be read; names it
    public Applications add(String path, Path place) throws IOException {
        String known = path.equals("/") ? "" : path;
        if (!known.matches("(/[A-Za-z0-9._~-]+)*")) {
            throw new IllegalArgumentException("'" + path + "' must be a path such as /shop");
        }
        boolean isWar = Files.isRegularFile(place) && place.toString().endsWith(".war");
        if (!isWar && !Files.isDirectory(place)) {
            String what = Files.exists(place) ? "is neither a .war nor a folder" : "is not there";
            throw new IOException(place + " " + what + ": give a WAR, or a folder with WEB-INF");
        }
        var application = new Application(tomcat, folders, known, place);
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
            throw failed(e);
        }
        for (Application each : applications.values()) {
            if (!each.runs()) {
                throw new IOException(each + " did not start: see above");
            }
        }
    }

    private IOException failed(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && !(root instanceof IOException)) {
            root = root.getCause();
        }
        if (root instanceof IOException io) {
            return io;
        }
        var those = new ArrayList<String>();
        applications.values().stream()
                .filter(each -> !each.runs())
                .forEach(each -> those.add(each.toString()));
        return new IOException(String.join(", ", those) + " did not start: " + root, failure);
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
        Application known = applications.get(path.equals("/") ? "" : path);
        if (known == null) {
            throw new IllegalArgumentException("no application is at " + path);
        }
        boolean isFinished = awaitEnd(known);
        known.begin();
        return awaitEnd(known) && isFinished;
    }

    /// Whether the version before could finish everything.
    private static boolean awaitEnd(Application known) throws IOException, InterruptedException {
        Application.End end = known.end(System.nanoTime());
        while (end == Application.End.WAITS) {
            Thread.sleep(LOOK_MILLIS);
            end = known.end(System.nanoTime());
        }
        return end != Application.End.CUT_OFF;
    }

    /// Begins those anew that have changed since they were started, and were left alone for half
    /// a second since an earlier look; ends old versions that have finished, or have had their
    /// 30 s. To be called every second or so; it waits for no request.
    ///
    /// @param says is told of each, and of what went wrong: what ran then goes on, and is begun
    ///     anew when it has changed again
    public void redeployChanged(Consumer<String> says) {
        for (Application each : applications.values()) {
            try {
                if (endOld(each, says)) {
                    beginChanged(each, says);
                }
            } catch (IOException e) {
                says.accept(e.getMessage() + ": what runs goes on");
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                says.accept(each + ": " + e); // a bug of ours, which must not end all redeploying
            }
        }
    }

    /// Whether a new version may be begun.
    private static boolean endOld(Application each, Consumer<String> says) throws IOException {
        Application.End end = each.end(System.nanoTime());
        if (end == Application.End.CUT_OFF) {
            says.accept(each + ": requests of its old version were cut off");
        }
        return end != Application.End.WAITS;
    }

    private static void beginChanged(Application each, Consumer<String> says) throws IOException {
        switch (each.news(System.nanoTime(), QUIET_NANOS)) {
            case NONE -> {}
            case GONE -> says.accept(each + " is gone: what runs goes on");
            case CHANGED -> {
                says.accept(each + " has changed: begins anew");
                each.begin();
                says.accept(each + " is new");
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw failed(e);
        } finally {
            folders.delete(folders.home());
        }
    }
}
