package dev.tandem.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Databases for the compared applications, one each, in a separate process on the load's
/// processor: of MariaDB or PostgreSQL, or in the memory of H2's server.
final class DatabaseProcess implements AutoCloseable {
    static final Setting KIND =
            new Setting("database", "NAME", "h2", "h2 (in memory), mariadb or postgresql");

    private static final String H2 = "h2";
    private static final String H2_USER = "sa";

    private final Child child;

    /// Null for H2.
    private final @Nullable StoreDatabase server;

    private final Set<String> made = new HashSet<>();

    private DatabaseProcess(Child child, @Nullable StoreDatabase server) {
        this.child = child;
        this.server = server;
    }

    /// @throws LabException if it does not start
    static DatabaseProcess start(Bench bench) throws LabException, InterruptedException {
        String kind =
                bench.run().settings().words(KIND, List.of(H2, "mariadb", "postgresql")).getFirst();
        return kind.equals(H2) ? startH2(bench) : startServer(bench, kind);
    }

    private static DatabaseProcess startServer(Bench bench, String kind)
            throws LabException, InterruptedException {
        Path folder = bench.workFolder().folder().resolve("database");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LabException("cannot make " + folder + ": " + e.getMessage());
        }
        StoreDatabase server =
                StoreDatabase.start(
                        StoreDatabase.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                        folder,
                        bench.pinning().loadList(),
                        bench.run().environment());
        try {
            server.awaitReady();
            return new DatabaseProcess(server.child(), server);
        } catch (LabException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private static DatabaseProcess startH2(Bench bench) throws LabException, InterruptedException {
        int port = FreePorts.next();
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dh2.bindAddress=127.0.0.1",
                        "-cp",
                        jar(),
                        "org.h2.tools.Server",
                        "-tcp",
                        "-tcpPort",
                        Integer.toString(port),
                        // An in-memory database is created by its first client.
                        "-ifNotExists");
        bench.run().command("database", command);
        Path log = bench.workFolder().log("database");
        var child = Child.start("database", bench.pinning().onClient(command), port, log);
        try {
            child.awaitListening();
            return new DatabaseProcess(child, null);
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    /// Returns H2's jar, from the class path of this process.
    private static String jar() throws LabException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Path.of(entry).getFileName().toString().matches("h2-[0-9].*[.]jar")) {
                return entry;
            }
        }
        throw new LabException("H2 is not on the class path: start it by ./tandem");
    }

    /// Returns the JDBC URL of one of its databases, which is created where it does not exist.
    ///
    /// @param name of letters
    /// @throws LabException if it cannot be created
    String url(String name) throws LabException {
        StoreDatabase its = server;
        if (its == null) {
            return "jdbc:h2:tcp://127.0.0.1:"
                    + child.port()
                    + "/mem:"
                    + name
                    + ";DB_CLOSE_DELAY=-1";
        }
        if (made.add(name)) {
            its.create(name);
        }
        return its.url().substring(0, its.url().lastIndexOf('/') + 1) + name;
    }

    /// With all rights, without a password.
    String user() {
        return server == null ? H2_USER : server.user();
    }

    /// Returns the CPU time that it has used so far, in seconds.
    ///
    /// @throws LabException if it has ended; the message has its last output
    double cpuSeconds() throws LabException {
        child.needsLife();
        return child.cpuTicks() / Kernel.TICKS_PER_SECOND;
    }

    @Override
    public void close() {
        child.close();
    }
}
