package dev.tandem.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Databases for the compared applications, one each, in a separate process: of MariaDB or
/// PostgreSQL, or in the memory of H2's server. It has a processor of its own where there are
/// three, else the load's.
final class DatabaseProcess implements AutoCloseable {
    static final Setting KIND =
            new Setting(
                    "database",
                    "NAME",
                    "mariadb",
                    "h2",
                    "h2 (in memory), mariadb or postgresql (installed)");

    private static final String H2 = "h2";
    private static final String H2_USER = "sa";

    /// Of the server's cache: a quarter of the memory of a machine of 8 GiB. Programs' defaults of
    /// 128 MiB are less than the populations of three contenders.
    private static final int CACHE_MIB = 2_048;

    /// All changes of a population fit into it, so that filling waits for no checkpoint.
    private static final int LOG_MIB = 2_048;

    /// A pool of ten for each contender and each configuration of a search that is running.
    private static final int CONNECTIONS_MAX = 400;

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
        var its = StoreDatabase.Kind.valueOf(kind.toUpperCase(Locale.ROOT));
        String processors = Processors.ofDatabase(bench.pinning(), Kernel.processors());
        StoreDatabase server =
                StoreDatabase.start(
                        its, folder, processors, arguments(its), bench.run().environment());
        try {
            server.awaitReady();
            bench.run().facts(facts(server.version(), processors));
            return new DatabaseProcess(server.child(), server);
        } catch (LabException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private static List<String> arguments(StoreDatabase.Kind kind) {
        return switch (kind) {
            case MARIADB ->
                    List.of(
                            "--innodb-buffer-pool-size=" + CACHE_MIB + "M",
                            "--innodb-log-file-size=" + LOG_MIB + "M",
                            "--max-connections=" + CONNECTIONS_MAX);
            case POSTGRESQL ->
                    List.of(
                            "-c",
                            "shared_buffers=" + CACHE_MIB + "MB",
                            "-c",
                            "max_wal_size=" + LOG_MIB + "MB",
                            "-c",
                            "max_connections=" + CONNECTIONS_MAX,
                            // It has one processor.
                            "-c",
                            "max_parallel_workers_per_gather=0");
            case H2 -> List.of();
        };
    }

    private static Map<String, String> facts(String version, String processors) {
        return Map.of(
                "database", version + (processors.isEmpty() ? "" : ", on processor " + processors));
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
        String processors = Processors.ofDatabase(bench.pinning(), Kernel.processors());
        List<String> pinned = bench.pinning().on(processors, command);
        var child = Child.start("database", pinned, port, log);
        try {
            child.awaitListening();
            bench.run().facts(facts("H2, in memory", processors));
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
        return its.url(name);
    }

    /// Creates databases with the same content. Does nothing with H2, where each application fills
    /// its own.
    ///
    /// @param names of letters; not in use
    /// @param filling fills the first, of which the others are copies
    void fill(List<String> names, Filling filling) throws LabException, InterruptedException {
        StoreDatabase its = server;
        if (its == null) {
            return;
        }
        String first = names.getFirst();
        url(first);
        filling.fill(its.bulkUrl(first));
        its.settle(first);
        for (String name : names) {
            if (made.add(name)) {
                its.copy(first, name);
            }
        }
    }

    /// Fills an empty database.
    @FunctionalInterface
    interface Filling {
        /// @param url of JDBC
        void fill(String url) throws LabException, InterruptedException;
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
        return Kernel.familyTicks(child.handle()) / Kernel.TICKS_PER_SECOND;
    }

    @Override
    public void close() {
        child.close();
    }
}
