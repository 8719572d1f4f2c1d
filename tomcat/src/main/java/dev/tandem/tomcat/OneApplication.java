package dev.tandem.tomcat;

import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/// A web application that is the whole site: what `tandem demo` runs. That command knows this class
/// by its name only, so that no other one loads Catalina.
public final class OneApplication implements AutoCloseable {
    /// Held, as the JDK forgets loggers that nobody has.
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("org.apache"), Logger.getLogger("dev.tandem.tomcat"));

    private final Tomcat tomcat = new Tomcat();
    private final Path home;
    private final Server server;

    /// Starts to serve.
    ///
    /// @param at where
    /// @param place its WAR, or the folder of one that was unpacked, which starts sooner
    /// @param more has more done to the server before it is bound
    /// @throws IOException if it cannot; says why
    public OneApplication(InetSocketAddress at, Path place, Consumer<Tandem> more)
            throws IOException {
        LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
        tomcat.setSilent(true);
        home = Files.createTempDirectory("tandem-apps-");
        try {
            server = start(at, place, more);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Server start(InetSocketAddress at, Path place, Consumer<Tandem> more)
            throws IOException {
        Files.createDirectories(home.resolve("webapps"));
        tomcat.setBaseDir(home.toString());
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setPort(at.getPort());
        connector.setProperty("address", at.getHostString());
        var protocol = (TandemProtocol) connector.getProtocolHandler();
        protocol.prepare(more);
        tomcat.setConnector(connector);
        if (tomcat.getHost() instanceof StandardHost host) {
            host.setUnpackWARs(false);
        }
        Context context = tomcat.addWebapp("", place.toAbsolutePath().toString());
        context.setParentClassLoader(OneApplication.class.getClassLoader());
        if (context.getJarScanner() instanceof StandardJarScanner scanner) {
            scanner.setScanClassPath(false);
        }
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IOException(reason(e), e);
        }
        if (!context.getState().isAvailable()) {
            throw new IOException(place + " did not start: the log says why");
        }
        return Objects.requireNonNull(protocol.server());
    }

    /// What lies deepest says which address was taken, or what is not there.
    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }

    /// The server underneath.
    public Server server() {
        return server;
    }

    /// Stops, and removes what Catalina wrote.
    @Override
    public void close() throws IOException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IOException("not stopped well: " + reason(e), e);
        } finally {
            remove();
        }
    }

    private void remove() throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
