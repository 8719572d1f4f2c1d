package dev.tandem.cli;

import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.function.Consumer;

/// The auction under Catalina. Both lie in a folder of their own, and are known here by their names
/// only: so no other command has them on its class path, or starts later for them.
///
/// @param running the site
/// @param loader has Catalina's classes
record AuctionSite(AutoCloseable running, Server server, URLClassLoader loader)
        implements AutoCloseable {
    private static final String RUNNER = "dev.tandem.tomcat.OneApplication";
    private static final String PLACE = "auction";

    /// For tests, which have Catalina on their class path, and the auction elsewhere.
    private static final String PLACE_PROPERTY = "tandem.auction";

    /// @param more has more done to the server before it is bound
    /// @throws IOException if it cannot start; says why
    /// @throws Failure if it was not built
    static AuctionSite start(InetSocketAddress at, Consumer<Tandem> more) throws IOException {
        Path folder = Path.of(System.getProperty("tandem.home", "."), ".tandem", "apps");
        Path place = Path.of(System.getProperty(PLACE_PROPERTY, folder.resolve(PLACE).toString()));
        if (!Files.exists(place)) {
            throw Failure.failed(
                    "there is no " + place + ": start by ./tandem demo, which builds it");
        }
        URLClassLoader loader = loader(folder);
        try {
            Class<?> type = Class.forName(RUNNER, true, loader);
            Object running =
                    type.getConstructor(InetSocketAddress.class, Path.class, Consumer.class)
                            .newInstance(at, place, more);
            var server = (Server) type.getMethod("server").invoke(running);
            return new AuctionSite((AutoCloseable) running, server, loader);
        } catch (InvocationTargetException e) {
            loader.close();
            throw refused(e);
        } catch (ReflectiveOperationException | LinkageError e) {
            loader.close();
            throw new IOException("what lies in " + folder + " does not fit: " + e, e);
        }
    }

    private static IOException refused(InvocationTargetException thrown) {
        return switch (thrown.getCause()) {
            case IOException e -> e;
            case RuntimeException e -> throw e;
            case null, default -> new IOException(thrown.getCause());
        };
    }

    private static URLClassLoader loader(Path folder) throws IOException {
        var jars = new ArrayList<URL>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
                for (Path jar : found) {
                    jars.add(jar.toUri().toURL());
                }
            }
        }
        ClassLoader parent = ClassLoader.getSystemClassLoader();
        return new URLClassLoader("apps", jars.toArray(URL[]::new), parent);
    }

    @Override
    public void close() throws IOException {
        try {
            running.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            loader.close();
        }
    }
}
