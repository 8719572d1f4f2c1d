package dev.tandem.tomcat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Host;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// Web applications under Catalina on our connector: what `tandem run` starts.
///
/// ```java
/// try (var site = new Applications(8080)) {
///     site.add("", Path.of("shop.war"));
///     site.start();
///     site.redeploy(""); // what is there now
/// }
/// ```
///
/// Not safe for use by several threads.
public final class Applications implements AutoCloseable {
    private static final String MANIFEST = "WEB-INF";

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(TandemProtocol.class.getName());
    private final Path home;
    private final Map<String, Path> places = new HashMap<>();

    /// @param port 0 takes one that is free
    /// @throws IOException if no folder can be made for what Tomcat writes
    public Applications(int port) throws IOException {
        home = Files.createTempDirectory("tandem-run");
        Files.createDirectories(home.resolve("webapps"));
        tomcat.setBaseDir(home.toString());
        connector.setPort(port);
        tomcat.setConnector(connector);
        tomcat.getHost().setAutoDeploy(false);
        if (tomcat.getHost() instanceof StandardHost host) {
            host.setUnpackWARs(false); // what was unpacked would be taken for the new one
        }
    }

    /// The connector, to set its attributes before [#start()].
    public Connector connector() {
        return connector;
    }

    /// Adds an application.
    ///
    /// @param path where it is, such as `/shop`; empty for the root
    /// @param place a WAR file, or a folder with a `WEB-INF` or pages
    /// @throws IOException if nothing is there, or it is neither; names it
    public Applications add(String path, Path place) throws IOException {
        boolean isWar = Files.isRegularFile(place) && place.toString().endsWith(".war");
        if (!isWar && !Files.isDirectory(place)) {
            String what = Files.exists(place) ? "is neither a .war nor a folder" : "is not there";
            throw new IOException(
                    place + " " + what + ": give a WAR, or a folder with " + MANIFEST);
        }
        Context context = tomcat.addWebapp(path, place.toAbsolutePath().toString());
        prepare(context);
        places.put(path, place);
        return this;
    }

    /// What is on our own class path has no tags or fragments for it, and takes long to look at.
    private static void prepare(Context context) {
        context.setParentClassLoader(Applications.class.getClassLoader());
        if (context.getJarScanner() instanceof StandardJarScanner scanner) {
            scanner.setScanClassPath(false);
        }
    }

    /// Starts to serve.
    ///
    /// @throws LifecycleException if the port is taken, or an application does not start: the log
    ///     says which
    public void start() throws LifecycleException {
        tomcat.start();
        for (var child : tomcat.getHost().findChildren()) {
            if (!child.getState().isAvailable()) {
                throw new LifecycleException(
                        "the application at /" + child.getName() + " did not start: see the log");
            }
        }
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// Stops an application and starts what is in its place now. Requests to it are answered 503
    /// meanwhile; those that run are waited for (2 s, `unloadDelay`); sessions are kept.
    ///
    /// @throws IllegalArgumentException if there is none at `path`
    /// @throws IOException if what was made of its pages cannot be deleted
    public void redeploy(String path) throws IOException {
        Host host = tomcat.getHost();
        Context context = (Context) host.findChild(path);
        if (context == null) {
            throw new IllegalArgumentException("no application is at " + path);
        }
        Path known = places.get(path);
        String place = known == null ? context.getDocBase() : known.toAbsolutePath().toString();
        if (!place.endsWith(".war")) {
            context.reload();
            return;
        }
        Path work = context instanceof StandardContext made ? Path.of(made.getWorkPath()) : null;
        host.removeChild(context);
        if (work != null && Files.isDirectory(work)) {
            delete(work); // times in a WAR are of two seconds: pages that were compiled look new
        }
        prepare(tomcat.addWebapp(path, place));
    }

    /// When an application's file was last changed, in milliseconds; for a folder, its `web.xml`,
    /// classes and libraries.
    static long changedMillis(Path place) throws IOException {
        if (Files.isRegularFile(place)) {
            return Files.getLastModifiedTime(place).toMillis();
        }
        Path inside = place.resolve(MANIFEST);
        if (!Files.isDirectory(inside)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(inside)) {
            return all.mapToLong(Applications::changedOf).max().orElse(0);
        }
    }

    private static long changedOf(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return 0; // it has just gone; what comes in its place will be seen
        }
    }

    /// Where the root application answers, for people.
    public URI address() {
        return URI.create("http://127.0.0.1:" + port() + "/");
    }

    @Override
    public void close() throws LifecycleException, IOException {
        tomcat.stop();
        tomcat.destroy();
        delete(home);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
