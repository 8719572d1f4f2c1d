package dev.tandem.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A real database server, from this machine's packages, on a port and in a folder of its own.
public final class DatabaseServer {
    private static final int START_SECONDS_MAX = 30;

    /// For MariaDB: the default is 96 MiB, which are written before it starts.
    private static final String LOG_SIZE = "--innodb-log-file-size=4M";

    /// Tests kill the process, not the machine: written data remains.
    private static final String NO_SYNC = "--innodb-flush-method=nosync";

    private final Kind kind;
    private final Path folder;
    private final int port;
    private @Nullable Process process;

    private DatabaseServer(Kind kind, Path folder, int port) {
        this.kind = kind;
        this.folder = folder;
        this.port = port;
    }

    public enum Kind {
        MARIADB("mariadbd", "mariadb"),
        POSTGRESQL("postgres", "postgresql");

        private final String program;
        private final String name;

        Kind(String program, String name) {
            this.program = program;
            this.name = name;
        }

        /// Whether it is installed.
        public boolean isHere() {
            return find(program) != null;
        }
    }

    /// Returns a new, empty, running server.
    public static DatabaseServer start(Kind kind) throws Exception {
        // Both do not run as root; the user they run as must have access to the folder.
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "database-" + kind.name);
        var server = new DatabaseServer(kind, folder, FreePort.find());
        server.prepare();
        server.start();
        return server;
    }

    /// The administrator's name; there is no password.
    public String user() {
        return kind == Kind.MARIADB ? "root" : "postgres";
    }

    public String url() {
        String database = kind == Kind.MARIADB ? "test" : "postgres";
        return "jdbc:" + kind.name + "://127.0.0.1:" + port + "/" + database;
    }

    /// Kills the server without a shutdown, as a power failure does. PostgreSQL has a process for
    /// each connection: one may respond once more when the first is dead already, so all are killed
    /// and waited for.
    public void kill() throws InterruptedException {
        if (process != null) {
            List<ProcessHandle> others = process.descendants().toList();
            process.destroyForcibly();
            others.forEach(ProcessHandle::destroyForcibly);
            process.waitFor(10, TimeUnit.SECONDS);
            for (ProcessHandle other : others) {
                other.onExit().completeOnTimeout(other, 10, TimeUnit.SECONDS).join();
            }
            process = null;
        }
    }

    /// Suspends the server, with all its connections open, until [#thaw] or [#kill].
    public void freeze() throws Exception {
        ProcessHandle first = running();
        signal("STOP", List.of(first));
        // The first process is stopped and starts no other, so these are all.
        signal("STOP", first.descendants().toList());
    }

    public void thaw() throws Exception {
        ProcessHandle first = running();
        signal("CONT", first.descendants().toList());
        signal("CONT", List.of(first));
    }

    private ProcessHandle running() {
        if (process == null) {
            throw new IllegalStateException("it does not run");
        }
        return process.toHandle();
    }

    private static void signal(String name, List<ProcessHandle> processes) throws Exception {
        if (processes.isEmpty()) {
            return;
        }
        var command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(each -> command.add(Long.toString(each.pid())));
        if (new ProcessBuilder(command).start().waitFor() != 0) {
            throw new IllegalStateException("cannot send " + name + ": " + command);
        }
    }

    public void start() throws Exception {
        process = run(serverCommand()).start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (true) {
            try (var _ = DriverManager.getConnection(url(), user(), "")) {
                return;
            } catch (SQLException e) {
                if (System.nanoTime() - end > 0 || !process.isAlive()) {
                    throw new IllegalStateException(
                            Files.readString(folder.resolve("log")) + e.getMessage(), e);
                }
                Thread.sleep(50);
            }
        }
    }

    public void remove() throws Exception {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void prepare() throws Exception {
        if (isRoot()) {
            new ProcessBuilder("chown", owner(), folder.toString()).start().waitFor();
        }
        List<String> command =
                switch (kind) {
                    case MARIADB ->
                            List.of(
                                    "mariadb-install-db",
                                    "--no-defaults",
                                    "--auth-root-authentication-method=normal",
                                    LOG_SIZE,
                                    NO_SYNC,
                                    "--datadir=" + folder.resolve("data"));
                    case POSTGRESQL ->
                            List.of(
                                    find("initdb"),
                                    "--auth=trust",
                                    "--username=postgres",
                                    "--encoding=UTF8",
                                    "--no-sync",
                                    "-D",
                                    folder.resolve("data").toString());
                };
        Process made = run(command).start();
        if (!made.waitFor(60, TimeUnit.SECONDS) || made.exitValue() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve("log")));
        }
    }

    private List<String> serverCommand() {
        String data = folder.resolve("data").toString();
        return switch (kind) {
            case MARIADB ->
                    List.of(
                            String.valueOf(find("mariadbd")),
                            "--no-defaults",
                            "--datadir=" + data,
                            "--bind-address=127.0.0.1",
                            "--port=" + port,
                            "--socket=" + folder.resolve("s"),
                            "--pid-file=" + folder.resolve("pid"),
                            LOG_SIZE,
                            NO_SYNC,
                            "--innodb-flush-log-at-trx-commit=2");
            case POSTGRESQL ->
                    List.of(
                            String.valueOf(find("postgres")),
                            "-D",
                            data,
                            "-h",
                            "127.0.0.1",
                            "-p",
                            String.valueOf(port),
                            "-k",
                            folder.toString(),
                            "-c",
                            "fsync=off");
        };
    }

    /// Runs a command as another user if this one is root, by a program that becomes the server.
    private ProcessBuilder run(List<String> command) {
        var words = new ArrayList<String>();
        if (isRoot()) {
            words.addAll(
                    List.of("setpriv", "--reuid=" + owner(), "--clear-groups", "--regid=nogroup"));
        }
        words.addAll(command);
        return new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    }

    private String owner() {
        return kind == Kind.MARIADB ? "mysql" : "postgres";
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /// Searches the path, and Debian's folders.
    private static @Nullable String find(String program) {
        var folders = new ArrayList<>(List.of(System.getenv("PATH").split(":")));
        folders.add("/usr/sbin");
        try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
            versions.forEach(version -> folders.add(version + "/bin"));
        } catch (IOException _) {
            // Not installed.
        }
        return folders.stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(null);
    }
}
