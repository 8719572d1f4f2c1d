package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An empty database in a separate process, on the loopback, that ends with this one: PostgreSQL or
/// MariaDB where they are installed, or H2, which always is.
///
/// @param child its process
/// @param url of JDBC
/// @param user with all rights, without a password
record StoreDatabase(Child child, Kind kind, String url, String user) implements AutoCloseable {
    private static final int PREPARE_SECONDS_MAX = 60;
    private static final int START_SECONDS_MAX = 30;

    enum Kind {
        POSTGRESQL("postgres", "postgres", "postgresql"),
        MARIADB("mariadbd", "mysql", "mariadb-server"),
        H2("", "", "");

        private final String program;

        /// User of the process where this process is root's: the database does not run as root.
        private final String owner;

        /// Of Debian, with its programs.
        private final String packageName;

        Kind(String program, String owner, String packageName) {
            this.program = program;
            this.owner = owner;
            this.packageName = packageName;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String need(String program) throws LabException {
            String found = find(program);
            if (found == null) {
                throw new LabException(
                        "needs "
                                + program
                                + ": apt-get install "
                                + packageName
                                + ", or run with --database h2");
            }
            return found;
        }

        /// The first that is installed.
        static Kind best() {
            for (Kind kind : values()) {
                if (kind == H2 || find(kind.program) != null) {
                    return kind;
                }
            }
            return H2;
        }
    }

    /// Starts one.
    ///
    /// @param folder for its files; exists
    /// @param processors as `taskset` takes them; empty for all
    static StoreDatabase start(Kind kind, Path folder, String processors, Environment environment)
            throws LabException, InterruptedException {
        return start(kind, folder, processors, List.of(), environment);
    }

    /// @param more arguments of the database's program
    static StoreDatabase start(
            Kind kind, Path folder, String processors, List<String> more, Environment environment)
            throws LabException, InterruptedException {
        int port = FreePorts.next();
        List<String> prefix = prefix(kind, processors);
        if (isRoot() && kind != Kind.H2) {
            Toolbox.output(PREPARE_SECONDS_MAX, List.of("chown", kind.owner, folder.toString()));
        }
        prepare(kind, folder, prefix);
        var command = new ArrayList<>(prefix);
        command.addAll(server(kind, folder, port, environment));
        command.addAll(more);
        Child child = Child.start(kind.word(), command, port, folder.resolve("server.log"));
        return of(child, kind, folder);
    }

    /// Starts one again that was killed, with the same files and port.
    ///
    /// @param more arguments of the database's program
    StoreDatabase again(Path folder, List<String> more, Environment environment)
            throws LabException {
        List<String> command = prefix(kind, "");
        command.addAll(server(kind, folder, child.port(), environment));
        command.addAll(more);
        Path log = folder.resolve("server-again.log");
        return of(Child.start(kind.word(), command, child.port(), log), kind, folder);
    }

    private static List<String> prefix(Kind kind, String processors) {
        var command = new ArrayList<String>();
        if (!processors.isEmpty()) {
            command.addAll(List.of("taskset", "-c", processors));
        }
        if (isRoot() && kind != Kind.H2) {
            command.addAll(List.of("setpriv", "--reuid=" + kind.owner, "--clear-groups"));
        }
        return command;
    }

    private static StoreDatabase of(Child child, Kind kind, Path folder) {
        int port = child.port();
        String name = kind == Kind.MARIADB ? "test" : "postgres";
        String url =
                kind == Kind.H2
                        ? "jdbc:h2:tcp://127.0.0.1:" + port + "/" + folder.resolve("data")
                        : "jdbc:" + kind.word() + "://127.0.0.1:" + port + "/" + name;
        String user = kind == Kind.H2 ? "sa" : kind == Kind.MARIADB ? "root" : "postgres";
        return new StoreDatabase(child, kind, url, user);
    }

    private static void prepare(Kind kind, Path folder, List<String> prefix)
            throws LabException, InterruptedException {
        var command = new ArrayList<>(prefix);
        String data = folder.resolve("data").toString();
        switch (kind) {
            case POSTGRESQL ->
                    command.addAll(
                            List.of(
                                    kind.need("initdb"),
                                    "--auth=trust",
                                    "--username=postgres",
                                    "--encoding=UTF8",
                                    "-D",
                                    data));
            case MARIADB ->
                    command.addAll(
                            List.of(
                                    kind.need("mariadb-install-db"),
                                    "--no-defaults",
                                    "--auth-root-authentication-method=normal",
                                    "--datadir=" + data));
            case H2 -> {
                return;
            }
        }
        String said = Toolbox.output(PREPARE_SECONDS_MAX, command);
        if (!Files.isDirectory(folder.resolve("data"))) {
            throw new LabException("no " + kind.word() + " could be made: " + said.strip());
        }
    }

    private static List<String> server(Kind kind, Path folder, int port, Environment environment)
            throws LabException {
        String data = folder.resolve("data").toString();
        return switch (kind) {
            case POSTGRESQL ->
                    List.of(
                            kind.need("postgres"),
                            "-D",
                            data,
                            "-h",
                            "127.0.0.1",
                            "-p",
                            Integer.toString(port),
                            "-k",
                            folder.toString(),
                            "-c",
                            "synchronous_commit=off"); // as MariaDB below: no wait for the disk
            case MARIADB ->
                    List.of(
                            kind.need("mariadbd"),
                            "--no-defaults",
                            "--datadir=" + data,
                            "--bind-address=127.0.0.1",
                            "--port=" + port,
                            "--socket=" + folder.resolve("s"),
                            "--pid-file=" + folder.resolve("pid"),
                            "--innodb-flush-log-at-trx-commit=2");
            case H2 -> {
                var words = new ArrayList<>(environment.target().words());
                words.removeLast();
                words.addAll(List.of("org.h2.tools.Server", "-tcp", "-ifNotExists"));
                words.addAll(List.of("-tcpPort", Integer.toString(port)));
                yield words;
            }
        };
    }

    static boolean isHere(String program) {
        return find(program) != null;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /// On the path, or in Debian's folder.
    private static @Nullable String find(String program) {
        Path onPath = Toolbox.ofProcess().find(program);
        if (onPath != null) {
            return onPath.toString();
        }
        try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
            return versions.map(version -> version.resolve("bin").resolve(program))
                    .filter(Files::isExecutable)
                    .map(Path::toString)
                    .findFirst()
                    .orElse(null);
        } catch (IOException _) {
            return null; // not installed
        }
    }

    /// Waits until it accepts connections.
    void awaitReady() throws LabException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (true) {
            try (var _ = DriverManager.getConnection(url, user, "")) {
                return;
            } catch (SQLException e) {
                child.needsLife();
                if (System.nanoTime() - end > 0) {
                    throw new LabException(url + ": " + e.getMessage());
                }
                Thread.sleep(50);
            }
        }
    }

    /// Returns the processor time that it has used, in seconds. PostgreSQL has a process for each
    /// connection.
    double cpuSeconds() throws LabException {
        return Kernel.familyTicks(child.handle()) / Kernel.TICKS_PER_SECOND;
    }

    /// Product and version, as its driver reports them.
    String version() throws LabException {
        try (var c = DriverManager.getConnection(url, user, "")) {
            return c.getMetaData().getDatabaseProductName()
                    + " "
                    + c.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new LabException(url + ": " + e.getMessage());
        }
    }

    /// Returns the URL of one of its databases.
    String url(String name) {
        return url.substring(0, url.lastIndexOf('/') + 1) + name;
    }

    /// Returns a URL by which a database's empty tables are filled fast: MariaDB sorts the rows of
    /// a transaction before it adds them to the indexes.
    String bulkUrl(String name) {
        return url(name)
                + (kind == Kind.MARIADB
                        ? "?sessionVariables=unique_checks=0,foreign_key_checks=0"
                        : "");
    }

    /// Creates another database in it.
    ///
    /// @param name of letters
    void create(String name) throws LabException {
        execute(url, List.of("create database " + name));
    }

    /// Creates another database, as a copy of one that has no connection.
    ///
    /// @param name of letters
    /// @throws LabException also if it is H2, which has no such copies
    void copy(String from, String name) throws LabException {
        switch (kind) {
            case POSTGRESQL ->
                    execute(url, List.of("create database " + name + " template " + from));
            case MARIADB -> {
                create(name);
                // Without these, the rows are not sorted before they are added to the indexes.
                var statements =
                        new ArrayList<>(List.of("set unique_checks=0", "set foreign_key_checks=0"));
                for (String table : tables(from)) {
                    statements.add("create table " + table + " like " + from + "." + table);
                    statements.add("insert into " + table + " select * from " + from + "." + table);
                }
                execute(url(name), statements);
                settle(name);
            }
            case H2 -> throw new LabException("H2 copies no databases");
        }
    }

    private List<String> tables(String database) throws LabException {
        var names = new ArrayList<String>();
        try (var c = DriverManager.getConnection(url(database), user, "");
                var statement = c.createStatement();
                var rows = statement.executeQuery("show tables")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        } catch (SQLException e) {
            throw new LabException(url(database) + ": " + e.getMessage());
        }
    }

    private void execute(String at, List<String> statements) throws LabException {
        try (var c = DriverManager.getConnection(at, user, "");
                var statement = c.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        } catch (SQLException e) {
            throw new LabException(at + ": " + e.getMessage());
        }
    }

    /// Updates the planner's statistics and caches to their state some hours after the tables were
    /// filled.
    void settle() throws LabException {
        if (kind == Kind.POSTGRESQL) {
            execute(url, List.of("vacuum analyze"));
        }
    }

    /// The same of one of its databases.
    void settle(String name) throws LabException {
        switch (kind) {
            case POSTGRESQL -> execute(url(name), List.of("vacuum analyze"));
            case MARIADB ->
                    execute(
                            url(name),
                            tables(name).stream().map(table -> "analyze table " + table).toList());
            case H2 -> {}
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
