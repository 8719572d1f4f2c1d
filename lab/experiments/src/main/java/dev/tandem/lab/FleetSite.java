package dev.tandem.lab;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The auction on several instances: PostgreSQL for its data, Redis or Valkey for its sessions,
/// HAProxy before them, and as many instances as are started. Confined to one thread.
final class FleetSite implements AutoCloseable {
    /// As many as there are addresses for.
    static final int INSTANCES_MAX = 5;

    /// A name with an address for each instance, in a file of names.
    private static final String NAME = "shop-instances";

    private static final int USERS = 2_000;

    private static final String CONTEXT =
            """
            <Context>
              <Valve className="org.apache.catalina.valves.PersistentValve"/>
              <Manager className="org.apache.catalina.session.PersistentManager">
                <Store className="dev.tandem.lab.sessions.RedisStore" port="%d"/>
              </Manager>
            </Context>
            """;

    private final Run run;
    private final WorkFolder workFolder;
    private final Plan plan;
    private final List<FleetInstance.Ports> ports = new ArrayList<>();
    private final List<FleetInstance> instances = new ArrayList<>();
    private @Nullable StoreDatabase database;
    private @Nullable Child sessions;
    private @Nullable FleetProxy proxy;
    private Path app = Path.of("");

    /// @param processors of each instance
    /// @param iterations of the hash of a new member's password
    /// @param connections of the database for all instances; 0 for eight each
    /// @param isStock whether instances are stock Tomcats, without an agent
    record Plan(double processors, int iterations, int connections, boolean isStock) {}

    private FleetSite(Run run, WorkFolder workFolder, Plan plan) {
        this.run = run;
        this.workFolder = workFolder;
        this.plan = plan;
    }

    /// Starts all but the instances.
    static FleetSite open(Run run, Plan plan) throws LabException, InterruptedException {
        var site = new FleetSite(run, WorkFolder.make(), plan);
        try {
            site.start();
            return site;
        } catch (LabException | InterruptedException e) {
            site.close();
            throw e;
        }
    }

    private void start() throws LabException, InterruptedException {
        Environment environment = run.environment();
        Lineup.open(workFolder.folder());
        Path data = folder("database");
        StoreDatabase opened =
                StoreDatabase.start(StoreDatabase.Kind.POSTGRESQL, data, "", environment);
        database = opened;
        opened.awaitReady();
        int port = FreePorts.next();
        sessions = startSessions(environment.tools(), port);
        sessions.awaitListening();
        app = copyApp(port);
        writeSecret();
        for (int i = 0; i < INSTANCES_MAX; i++) {
            ports.add(FleetInstance.Ports.free());
        }
        proxy = FleetProxy.start(environment.tools(), workFolder.folder(), ports, List.of());
    }

    /// By which each instance recognises the sessions of all.
    private void writeSecret() throws LabException {
        var key = new byte[32];
        new SecureRandom().nextBytes(key);
        try {
            String text = Base64.getEncoder().encodeToString(key);
            Files.writeString(workFolder.folder().resolve("marks"), text + "\n");
        } catch (IOException e) {
            throw new LabException("cannot write a key: " + e.getMessage());
        }
    }

    private Path folder(String name) throws LabException {
        try {
            return Files.createDirectories(workFolder.folder().resolve(name));
        } catch (IOException e) {
            throw new LabException("cannot make " + name + ": " + e.getMessage());
        }
    }

    private Child startSessions(Toolbox tools, int port) throws LabException {
        Path valkey = tools.find("valkey-server");
        Path program =
                valkey == null
                        ? tools.need("redis-server", "apt-get install redis-server")
                        : valkey;
        List<String> command =
                List.of(
                        program.toString(),
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--save",
                        "",
                        "--appendonly",
                        "no");
        return Child.start("sessions", command, port, workFolder.log("sessions"));
    }

    /// The application, with its sessions in the store.
    private Path copyApp(int sessionPort) throws LabException {
        Path from = Apps.folder("auction");
        Path to = workFolder.folder().resolve("shop");
        try (Stream<Path> all = Files.walk(from)) {
            all.forEach(path -> copy(path, to.resolve(from.relativize(path).toString())));
            Files.createDirectories(to.resolve("META-INF"));
            Files.writeString(to.resolve("META-INF/context.xml"), CONTEXT.formatted(sessionPort));
            return to;
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot copy the auction: " + e.getMessage());
        }
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the processor time that each program has used, in seconds, by its name; the
    /// experiment's own, with the load, is `load`.
    Map<String, Double> cpuSeconds() throws LabException {
        var used = new LinkedHashMap<String, Double>();
        used.put("load", Kernel.ownCpuTicks() / Kernel.TICKS_PER_SECOND);
        used.put("haproxy", proxy().cpuSeconds());
        used.put("database", open().cpuSeconds());
        if (sessions != null) {
            used.put("sessions", sessions.cpuTicks() / Kernel.TICKS_PER_SECOND);
        }
        for (FleetInstance each : instances) {
            used.put(each.name(), each.cpuSeconds());
        }
        return used;
    }

    FleetProxy proxy() {
        if (proxy == null) {
            throw new IllegalStateException("not started");
        }
        return proxy;
    }

    List<FleetInstance> instances() {
        return List.copyOf(instances);
    }

    Plan plan() {
        return plan;
    }

    static int users() {
        return USERS;
    }

    /// Starts further instances and waits until they serve. The first one fills the database.
    void add(int count) throws LabException, InterruptedException {
        var added = new ArrayList<FleetInstance>();
        for (int i = 0; i < count; i++) {
            FleetInstance one = startNext();
            added.add(one);
            if (instances.size() == 1) {
                one.awaitReady(plan.processors);
                open().settle();
            }
        }
        for (FleetInstance one : added) {
            one.awaitReady(plan.processors);
        }
    }

    /// Starts one more instance; it is not ready yet.
    FleetInstance startNext() throws LabException {
        int number = instances.size() + 1;
        name(number);
        List<String> command = command(ports.get(number - 1));
        if (number == 1) {
            run.command("instance", command);
        }
        FleetInstance one =
                FleetInstance.start(
                        "s" + number, ports.get(number - 1), command, workFolder.log("s" + number));
        instances.add(one);
        return one;
    }

    /// Gives the name an address for each instance, as a headless service does.
    private void name(int count) throws LabException {
        var text = new StringBuilder("127.0.0.1 localhost\n");
        for (int i = 1; i <= count; i++) {
            text.append("127.0.1.").append(i).append(' ').append(NAME).append('\n');
        }
        Path file = workFolder.folder().resolve("names");
        Path next = workFolder.folder().resolve("names.new");
        try {
            Files.writeString(next, text);
            Files.move(next, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new LabException("cannot write names: " + e.getMessage());
        }
    }

    private List<String> command(FleetInstance.Ports at) throws LabException {
        Environment environment = run.environment();
        var command =
                new ArrayList<>(
                        plan.isStock
                                ? withStore(Rivals.named("tomcat").command(stock(at), environment))
                                : Apps.withCatalina(environment.target().words()));
        boolean isShared = plan.connections > 0;
        var flags = new ArrayList<String>();
        // One compiler: on a part of a processor the other one would need minutes.
        flags.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m"));
        flags.add("-Dauction.url=" + url());
        flags.add("-Dauction.user=" + user());
        flags.add("-Dauction.pool=" + (isShared ? 1 : 8));
        flags.add("-Dauction.users=" + USERS);
        flags.add("-Dauction.password.iterations=" + plan.iterations);
        flags.add("-Djdk.net.hosts.file=" + workFolder.folder().resolve("names"));
        command.addAll(1, flags);
        if (plan.isStock) {
            return command;
        }
        command.addAll(List.of("run", app.toString()));
        command.addAll(List.of("--listen", "127.0.0.1:" + at.listen()));
        command.addAll(List.of("--agent", "127.0.0.1:" + at.agent()));
        command.addAll(List.of("--manage", "127.0.0.1:" + at.manage()));
        command.addAll(List.of("--secret", workFolder.folder().resolve("marks").toString()));
        if (isShared) {
            command.addAll(List.of("--fleet-connections", "" + plan.connections));
            command.addAll(List.of("--fleet-name", NAME));
        }
        return command;
    }

    /// Adds the store of sessions, which is ours, to the class path of stock Tomcat.
    private static List<String> withStore(List<String> command) throws LabException {
        var more = new ArrayList<>(command);
        int paths = more.indexOf("-cp") + 1;
        try {
            var source = FleetSite.class.getProtectionDomain().getCodeSource().getLocation();
            Path own = Path.of(source.toURI());
            more.set(paths, more.get(paths) + File.pathSeparator + own);
            return more;
        } catch (URISyntaxException e) {
            throw new LabException("cannot find our own classes: " + e.getMessage());
        }
    }

    /// Of stock Tomcat, with its default of 200 threads.
    private RivalPlan stock(FleetInstance.Ports at) throws LabException {
        Path own = folder("tomcat-" + at.listen());
        return new RivalPlan(at.listen(), 0, app, own, List.of(), RivalSettings.DEFAULT);
    }

    private String url() {
        return open().url() + "?ApplicationName=shop";
    }

    private String user() {
        return open().user();
    }

    private StoreDatabase open() {
        if (database == null) {
            throw new IllegalStateException("not started");
        }
        return database;
    }

    /// Returns how many connections to the database the instances have.
    int connections() throws LabException {
        try (var connection = DriverManager.getConnection(open().url(), open().user(), "");
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "select count(*) from pg_stat_activity"
                                        + " where application_name = 'shop'")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new LabException("cannot count connections: " + e.getMessage());
        }
    }

    /// Ends all instances at once.
    void endInstances() {
        instances.forEach(FleetInstance::close);
        instances.clear();
    }

    @Override
    public void close() {
        endInstances();
        if (proxy != null) {
            proxy.close();
        }
        if (sessions != null) {
            sessions.close();
        }
        if (database != null) {
            database.close();
        }
        workFolder.close();
    }
}
