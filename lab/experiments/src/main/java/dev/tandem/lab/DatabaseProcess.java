package dev.tandem.lab;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/// In-memory databases for the compared applications, one each, in a separate process on the load's
/// processor: H2's server.
final class DatabaseProcess implements AutoCloseable {
    static final String USER = "sa";

    private final Child child;

    private DatabaseProcess(Child child) {
        this.child = child;
    }

    /// @throws LabException if it does not start
    static DatabaseProcess start(Bench bench) throws LabException, InterruptedException {
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
            return new DatabaseProcess(child);
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

    /// Returns the JDBC URL of one of its databases.
    ///
    /// @param name of letters
    String url(String name) {
        return "jdbc:h2:tcp://127.0.0.1:" + child.port() + "/mem:" + name + ";DB_CLOSE_DELAY=-1";
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
