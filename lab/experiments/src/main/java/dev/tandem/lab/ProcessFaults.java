package dev.tandem.lab;

import dev.tandem.lab.Fault.Bench;
import dev.tandem.lab.Fault.Impossible;
import dev.tandem.lab.Fault.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Processes that are killed or stopped.
final class ProcessFaults {
    private static final int CLIENTS = 12;
    private static final int BACK_SECONDS_MAX = 60;
    private static final FaultLoad.Kind HELLO = FaultLoad.Kind.get("/hello");
    private static final FaultLoad.Kind JOURNAL = FaultLoad.Kind.post("journal", "/journal/", 0);
    private static final FaultLoad.Kind UPSTREAM =
            FaultLoad.Kind.post("journal", "/up/journal/", 0);
    private static final FaultLoad.Kind ROW = FaultLoad.Kind.post("row", "/row/", 0);

    private ProcessFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault(
                        "postgresql",
                        "12 clients insert rows, and get /hello",
                        "no acknowledged row is lost; rows are inserted again by themselves",
                        bench -> database(bench, StoreDatabase.Kind.POSTGRESQL)),
                new Fault(
                        "mariadb",
                        "the same",
                        "the same",
                        bench -> database(bench, StoreDatabase.Kind.MARIADB)),
                new Fault(
                        "kill",
                        "12 clients write a journal",
                        "no acknowledged line is lost when the server itself is killed",
                        ProcessFaults::kill),
                new Fault(
                        "stop",
                        "the same; the server is stopped by SIGSTOP",
                        "it serves again once it continues, and nothing is lost",
                        ProcessFaults::stop),
                new Fault(
                        "stop-upstream",
                        "8 clients by the proxy, 4 get /hello",
                        "/hello is served meanwhile; requests by the proxy once it continues",
                        ProcessFaults::stopUpstream),
                new Fault(
                        "kill-upstream",
                        "the same; the upstream is killed and started again",
                        "the same; nothing acknowledged is lost",
                        ProcessFaults::killUpstream),
                new Fault(
                        "cgi",
                        "8 clients run a program that writes a journal; programs are killed",
                        "502 for the killed, nothing acknowledged is lost",
                        ProcessFaults::cgi),
                new Fault(
                        "php",
                        "8 clients use PHP by FastCGI; its workers are killed",
                        "502 or 503 for the killed, nothing acknowledged is lost",
                        ProcessFaults::php));
    }

    private static void sleep(double seconds) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (1000 * seconds));
    }

    /// A third of the fault's time, before and after it.
    private static double calm(Bench bench) {
        return Math.clamp(bench.seconds() / 3.0, 1, 5);
    }

    // ---- Databases.

    private static Outcome database(Bench bench, StoreDatabase.Kind kind)
            throws LabException, InterruptedException, Impossible {
        String program = kind == StoreDatabase.Kind.POSTGRESQL ? "initdb" : "mariadbd";
        if (!StoreDatabase.isHere(program)) {
            throw new Impossible(program + " is not installed");
        }
        Path files = folder(bench, "database");
        Environment environment = bench.run().environment();
        StoreDatabase first = StoreDatabase.start(kind, files, "", environment);
        first.awaitReady();
        FaultSite.kill(first.child());
        // With commits that are on the disk's way before they are acknowledged.
        List<String> durable =
                kind == StoreDatabase.Kind.POSTGRESQL
                        ? List.of("-c", "synchronous_commit=on", "-c", "fsync=off")
                        : List.of();
        StoreDatabase database = first.again(files, durable, environment);
        try {
            database.awaitReady();
            sql(database, "create table tandem_rows (id varchar(20) primary key)");
            FaultSite.Start how =
                    FaultSite.Start.in(bench.folder())
                            .with("-", "-", database.url(), database.user());
            try (var site = FaultSite.start(bench.run(), how);
                    var load = FaultLoad.start(site.port(), CLIENTS, List.of(ROW, HELLO))) {
                sleep(calm(bench));
                FaultSite.kill(database.child());
                sleep(Math.min(3, bench.seconds()));
                database = database.again(files, durable, environment);
                database.awaitReady();
                int before = load.acknowledged("row").size();
                long mark = System.nanoTime();
                double recovered = awaitMore(load, "row", before, mark);
                sleep(calm(bench));
                load.stop();
                return Fault.outcome(load, "row", rows(database), recovered, wrong(site));
            }
        } finally {
            database.close();
        }
    }

    /// Waits until more is acknowledged.
    private static double awaitMore(FaultLoad load, String name, int before, long mark)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BACK_SECONDS_MAX);
        while (System.nanoTime() - end < 0) {
            if (load.acknowledged(name).size() > before) {
                return (System.nanoTime() - mark) / 1e9;
            }
            Thread.sleep(5);
        }
        return Double.POSITIVE_INFINITY;
    }

    private static void sql(StoreDatabase database, String statement) throws LabException {
        try (var c = DriverManager.getConnection(database.url(), database.user(), "");
                var one = c.createStatement()) {
            one.execute(statement);
        } catch (SQLException e) {
            throw new LabException(statement + ": " + e.getMessage());
        }
    }

    private static Set<String> rows(StoreDatabase database) throws LabException {
        try (var c = DriverManager.getConnection(database.url(), database.user(), "");
                var one = c.createStatement();
                var found = one.executeQuery("select id from tandem_rows")) {
            var ids = new HashSet<String>();
            while (found.next()) {
                ids.add(found.getString(1));
            }
            return ids;
        } catch (SQLException e) {
            throw new LabException("the rows cannot be read: " + e.getMessage());
        }
    }

    static String wrong(FaultSite site) {
        String health = site.health();
        return health.equals("well") ? "" : health;
    }

    static Path folder(Bench bench, String name) throws LabException {
        try {
            // Not below a folder of root's only: databases have users of their own.
            Path parent = Files.createTempDirectory(Path.of("/tmp"), "tandem-fault-" + name);
            parent.toFile().deleteOnExit();
            return parent;
        } catch (IOException e) {
            throw new LabException("cannot make a folder: " + e.getMessage());
        }
    }

    // ---- The server, and its upstream.

    private static Outcome kill(Bench bench) throws LabException, InterruptedException {
        FaultSite.Start how = FaultSite.Start.in(bench.folder());
        var site = FaultSite.start(bench.run(), how);
        try (var load = FaultLoad.start(site.port(), CLIENTS, List.of(JOURNAL, HELLO))) {
            sleep(calm(bench));
            site.kill();
            int before = load.acknowledged("journal").size();
            long mark = System.nanoTime();
            site = FaultSite.start(bench.run(), how, site.port());
            double recovered = awaitMore(load, "journal", before, mark);
            sleep(calm(bench));
            load.stop();
            return Fault.outcome(load, "journal", site.journal(), recovered, wrong(site));
        } finally {
            site.close();
        }
    }

    private static Outcome stop(Bench bench) throws LabException, InterruptedException {
        try (var site = FaultSite.start(bench.run(), FaultSite.Start.in(bench.folder()));
                var load = FaultLoad.start(site.port(), CLIENTS, List.of(JOURNAL, HELLO))) {
            sleep(calm(bench));
            FaultSite.signal("STOP", site.child().pid());
            sleep(bench.seconds());
            int before = load.acknowledged("journal").size();
            long mark = System.nanoTime();
            FaultSite.signal("CONT", site.child().pid());
            double recovered = awaitMore(load, "journal", before, mark);
            sleep(calm(bench));
            load.stop();
            return Fault.outcome(load, "journal", site.journal(), recovered, wrong(site));
        }
    }

    private static Outcome stopUpstream(Bench bench) throws LabException, InterruptedException {
        FaultSite.Start behind = FaultSite.Start.in(bench.folder().resolve("behind"));
        try (var upstream = FaultSite.start(bench.run(), behind);
                var site = front(bench, upstream);
                var hello = FaultLoad.start(site.port(), 4, List.of(HELLO));
                var load = FaultLoad.start(site.port(), 8, List.of(UPSTREAM))) {
            sleep(calm(bench));
            FaultSite.signal("STOP", upstream.child().pid());
            sleep(bench.seconds());
            int before = load.acknowledged("journal").size();
            long mark = System.nanoTime();
            FaultSite.signal("CONT", upstream.child().pid());
            double recovered = awaitMore(load, "journal", before, mark);
            sleep(calm(bench));
            hello.stop();
            load.stop();
            return Fault.outcome(
                    load, "journal", upstream.journal(), recovered, held(hello) + wrong(site));
        }
    }

    /// Requests that need no upstream wait for none.
    private static String held(FaultLoad hello) {
        return hello.longestGap() < 2
                ? ""
                : "/hello had no response for " + Figures.show(hello.longestGap(), 1) + " s ";
    }

    private static FaultSite front(Bench bench, FaultSite upstream)
            throws LabException, InterruptedException {
        return FaultSite.start(
                bench.run(),
                FaultSite.Start.in(bench.folder()).with(Integer.toString(upstream.port()), "-"));
    }

    private static Outcome killUpstream(Bench bench) throws LabException, InterruptedException {
        FaultSite.Start behind = FaultSite.Start.in(bench.folder().resolve("behind"));
        var upstream = FaultSite.start(bench.run(), behind);
        try (var site = front(bench, upstream);
                var hello = FaultLoad.start(site.port(), 4, List.of(HELLO));
                var load = FaultLoad.start(site.port(), 8, List.of(UPSTREAM))) {
            sleep(calm(bench));
            upstream.kill();
            sleep(Math.min(3, bench.seconds()));
            int before = load.acknowledged("journal").size();
            upstream = FaultSite.start(bench.run(), behind, upstream.port());
            long mark = System.nanoTime();
            double recovered = awaitMore(load, "journal", before, mark);
            sleep(calm(bench));
            hello.stop();
            load.stop();
            return Fault.outcome(
                    load, "journal", upstream.journal(), recovered, held(hello) + wrong(site));
        } finally {
            upstream.close();
        }
    }

    // ---- Programs.

    private static Outcome cgi(Bench bench) throws LabException, InterruptedException {
        Path journal = bench.folder().resolve("journal");
        FaultSite.program(
                bench.folder().resolve("cgi-bin").resolve("add"),
                """
                #!/bin/sh
                sleep 0.05
                echo "${PATH_INFO#/}" >>%s
                printf 'Content-Type: text/plain\\n\\nok'
                """
                        .formatted(journal));
        FaultLoad.Kind add = FaultLoad.Kind.post("journal", "/cgi-bin/add/", 0);
        try (var site = FaultSite.start(bench.run(), FaultSite.Start.in(bench.folder()));
                var load = FaultLoad.start(site.port(), 8, List.of(add))) {
            killDescendants(site.child(), Math.min(bench.seconds(), 10));
            int before = load.acknowledged("journal").size();
            double recovered = awaitMore(load, "journal", before, System.nanoTime());
            load.stop();
            return Fault.outcome(load, "journal", site.journal(), recovered, wrong(site));
        }
    }

    /// Kills one of a process's descendants each 20 ms.
    private static void killDescendants(Child parent, int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0) {
            Optional<ProcessHandle> one = parent.handle().descendants().findAny();
            one.ifPresent(ProcessHandle::destroyForcibly);
            Thread.sleep(20);
        }
    }

    private static Outcome php(Bench bench) throws LabException, InterruptedException, Impossible {
        Path program = php(bench.run().environment().tools());
        Path folder = folder(bench, "php");
        int port = FreePorts.next();
        Path journal = folder.resolve("journal");
        FaultSite.program(
                bench.folder().resolve("php").resolve("add.php"),
                """
                <?php usleep(20000); file_put_contents('%s', $_GET['id'] . "\\n", FILE_APPEND);
                echo 'ok';
                """
                        .formatted(journal));
        Path settings = folder.resolve("fpm.conf");
        FaultSite.program(
                settings,
                """
                [global]
                error_log = %s/log
                daemonize = no
                [www]
                user = root
                group = root
                listen = 127.0.0.1:%d
                pm = static
                pm.max_children = 4
                """
                        .formatted(folder, port));
        Child fpm =
                Child.start(
                        "php-fpm",
                        List.of(program.toString(), "-R", "-y", settings.toString()),
                        port,
                        folder.resolve("out"));
        FaultLoad.Kind add = FaultLoad.Kind.post("journal", "/php/add.php?id=", 0);
        FaultSite.Start how = FaultSite.Start.in(bench.folder()).with("-", Integer.toString(port));
        try {
            fpm.awaitListening();
            try (var site = FaultSite.start(bench.run(), how);
                    var load = FaultLoad.start(site.port(), 8, List.of(add))) {
                killDescendants(fpm, Math.min(bench.seconds(), 10));
                int before = load.acknowledged("journal").size();
                double recovered = awaitMore(load, "journal", before, System.nanoTime());
                load.stop();
                Set<String> there = new FaultSite(fpm, 0, folder).journal();
                return Fault.outcome(load, "journal", there, recovered, wrong(site));
            }
        } finally {
            fpm.close();
        }
    }

    private static Path php(Toolbox tools) throws Impossible {
        for (String name : List.of("php-fpm", "php-fpm8.4", "php-fpm8.3", "php-fpm8.2")) {
            Path found = tools.find(name);
            if (found != null) {
                return found;
            }
        }
        throw new Impossible("php-fpm is not installed");
    }
}
