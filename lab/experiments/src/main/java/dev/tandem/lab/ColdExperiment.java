package dev.tandem.lab;

import dev.tandem.lab.ColdCourse.Second;
import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Repeat;
import dev.tandem.load.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The first seconds of servers that were just started: how long the start takes, and how much of
/// its later throughput a server reaches in each second under full load.
final class ColdExperiment {
    private static final String TANDEM = "tandem";
    private static final String NONE = "none";

    private static final Setting ROWS =
            new Setting(
                    "rows",
                    "NAMES",
                    String.join(",", Row.names()),
                    "what is requested: " + String.join(", ", Row.names()));
    private static final Setting AGAINST =
            new Setting(
                    "against",
                    "NAMES",
                    "netty,tomcat,jetty,undertow,helidon,nginx",
                    "netty,tomcat,nginx",
                    "peers to compare with, or none");
    private static final Setting APP =
            new Setting(
                    "app",
                    "JAR",
                    NONE,
                    "an application of Spring Boot with the starter: the row spring");
    private static final Setting APP_PATH =
            new Setting("app-path", "PATH", "/", "its page that is requested, without a login");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "1", "starts of each server, alternately");
    private static final Setting SECS =
            new Setting("secs", "S", "30", "6", "load after each start, 3 or more, in seconds");
    private static final Setting LAUNCHER =
            new Setting("tandem", "FILE", "auto", "the launcher; auto: the one in use");

    private static final int CONNECTIONS = 64;
    private static final int SECONDS_MIN = 3;

    /// Approximate time of a start and a stop, in seconds.
    private static final double ASIDE_SECONDS = 2;

    private static final double FIRST_GOAL = 0.4;
    private static final double THIRD_GOAL = 0.8;
    private static final double CPU_GOAL = 5;

    /// Start of the application with the starter and an AOT cache, as shares of stock Tomcat's.
    private static final Map<String, Double> SPRING_GOALS =
            new TreeMap<>(
                    Map.of(JavaRival.TOMCAT, 0.5, JavaRival.TOMCAT + SpringRival.CACHED, 0.9));

    private static final int QUICK_SECONDS = 175;
    private static final int FULL_SECONDS = 6_600;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "cold",
                    "throughput in the first seconds after the start",
                    List.of(
                            "Each measurement starts a server, and loads it at once with 64",
                            "connections. Shares are of its own throughput in the last seconds.",
                            "The row spring needs --app: the application with Tandem's connector",
                            "and with Tomcat's, each with and without an AOT cache."),
                    new Experiment.Terms(
                            List.of(ROWS, AGAINST, REPETITIONS, SECS, LAUNCHER, APP, APP_PATH),
                            List.of(
                                    Need.program("wrk", Wrk.WAY_OUT),
                                    Need.peer("nginx", "apt-get install nginx")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    ColdExperiment::run);

    /// What is requested.
    enum Row {
        HELLO("hello", "hello", false),
        FILE("file", "static1k", false),
        DATABASE("row", "db", false),
        SERVLET("servlet", "hello", true),
        SERVLET_DATABASE("servlet-row", "db", true),
        SPRING("spring", "spring", true),
        TLS_FULL("tls-full", "", false),
        TLS_RESUMED("tls-resumed", "", false);

        private final String title;

        /// Of [Trial], except the application's; empty for handshakes.
        private final String trial;

        private final boolean isServlet;

        Row(String title, String trial, boolean isServlet) {
            this.title = title;
            this.trial = trial;
            this.isServlet = isServlet;
        }

        static List<String> names() {
            return List.of(values()).stream().map(row -> row.title).toList();
        }

        private boolean isTls() {
            return trial.isEmpty();
        }

        /// Tandem has a servlet and a handler. Its peers have one of both, which is compared with
        /// each of Tandem's that it is: servlets with servlets, all with handlers.
        boolean isOf(Rival rival) {
            if (this == SPRING || rival instanceof SpringRival) {
                return this == SPRING && rival instanceof SpringRival;
            }
            if (rival.name().equals(TANDEM)) {
                return true;
            }
            if (isTls() && rival instanceof JavaRival java && !java.hasTls()) {
                return false;
            }
            if (rival.name().equals(JavaRival.NETTY)) {
                return this == HELLO;
            }
            if (isServlet) {
                return rival instanceof JavaRival java && java.hasServlets();
            }
            return this == HELLO || this == FILE || isTls() || rival.hasCode();
        }
    }

    /// A server and its load.
    private record Case(Row row, String server) {
        String title() {
            return row.title + ", " + server;
        }
    }

    private final Run run;
    private final Bench bench;
    private final Wrk wrk;
    private final int seconds;
    private final String appPath;
    private final Map<String, Case> cases = new LinkedHashMap<>();

    private ColdExperiment(Run run, Bench bench) throws LabException {
        this.run = run;
        this.bench = bench;
        this.wrk = Wrk.of(run.environment().tools(), bench.pinning());
        this.seconds = run.settings().number(SECS, SECONDS_MIN, 600);
        this.appPath = run.settings().text(APP_PATH);
    }

    static void run(Run run) throws LabException, InterruptedException {
        try (Bench bench = Bench.open(run)) {
            var experiment = new ColdExperiment(run, bench);
            experiment.fill();
            experiment.measure();
        }
    }

    private void fill() throws LabException, InterruptedException {
        List<String> rows = run.settings().words(ROWS, Row.names());
        Certificate certificate =
                Certificate.make(bench.workFolder().folder(), Certificate.Kind.EC);
        TargetCommand launcher =
                StartExperiment.command(run.settings().text(LAUNCHER), run.environment().target());
        List<Rival> peers = peers();
        if (rows.contains(Row.SPRING.title)) {
            peers.addAll(applications());
        }
        for (Row row : Row.values()) {
            if (rows.contains(row.title)) {
                add(row, new ColdTarget(launcher, row.isServlet), certificate);
                for (Rival peer : peers) {
                    add(row, peer, certificate);
                }
            }
        }
    }

    private List<SpringRival> applications() throws LabException, InterruptedException {
        if (run.settings().text(APP).equals(NONE)) {
            run.say("not measured: spring: needs --app");
            return List.of();
        }
        run.say("unpacking the application, and training two AOT caches: some minutes");
        Path folder = bench.workFolder().folder().resolve("app");
        return SpringRival.unpack(run.settings().path(APP), folder, appPath, bench.pinning());
    }

    private List<Rival> peers() throws LabException, InterruptedException {
        var known = new ArrayList<>(Rivals.names());
        known.addAll(List.of(NONE, JavaRival.NETTY));
        var names = new ArrayList<>(run.settings().words(AGAINST, known));
        names.remove(NONE);
        boolean hasNetty = names.remove(JavaRival.NETTY);
        var missing = new ArrayList<String>();
        List<Rival> here = Rivals.here(names, run.environment().tools(), missing);
        if (hasNetty) {
            addNetty(here, missing);
        }
        missing.forEach(line -> run.say("not measured: " + line));
        return here;
    }

    private void addNetty(List<Rival> here, List<String> missing)
            throws LabException, InterruptedException {
        Rival netty = JavaRival.netty(BuiltRivals.ofProcess());
        try {
            netty.version(run.environment().tools());
            here.add(netty);
        } catch (LabException e) {
            missing.add(netty.name() + ": " + e.line());
        }
    }

    private void add(Row row, Rival rival, Certificate certificate) {
        if (!row.isOf(rival)) {
            return;
        }
        var its = new Case(row, rival.name());
        RivalSettings settings =
                row.isTls()
                        ? RivalSettings.DEFAULT.withCertificate(certificate)
                        : RivalSettings.DEFAULT;
        bench.lineup()
                .add(
                        its.title(),
                        new Lineup.Entry(
                                rival,
                                bench.workFolder().root(),
                                bench.pinning().serverList(),
                                settings));
        cases.put(its.title(), its);
    }

    private void measure() throws LabException, InterruptedException {
        List<Scenario> scenarios = cases.keySet().stream().map(Scenario::of).toList();
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        var plan =
                new Repetitions.Plan(
                        run.settings().number(REPETITIONS, 1, 99),
                        SECONDS_MIN + ASIDE_SECONDS,
                        seconds + ASIDE_SECONDS,
                        box);
        new Repetitions(run, scenarios, plan).measure(new Starts(), this::findings);
    }

    private final class Starts implements Repetitions.Runner {
        /// The first start reads files from the disk, and may build; the first handshakes compile
        /// the generator.
        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            if (its(scenario).row.isTls()) {
                measureOnce(scenario.contender(), SECONDS_MIN);
            } else {
                bench.lineup().running(scenario.contender());
                bench.lineup().end(scenario.contender());
            }
        }

        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            return Reading.of(measureOnce(scenario.contender(), seconds).figures());
        }
    }

    private Case its(Scenario scenario) {
        Case its = cases.get(scenario.contender());
        if (its == null) {
            throw new IllegalStateException("no " + scenario);
        }
        return its;
    }

    private ColdCourse measureOnce(String name, int count)
            throws LabException, InterruptedException {
        Row row = its(Scenario.of(name)).row;
        try {
            long begin = System.nanoTime();
            RunningRival server = bench.lineup().running(name);
            double startMillis = (System.nanoTime() - begin) / 1e6;
            return new ColdCourse(
                    startMillis,
                    row.isTls() ? handshakes(server, row, count) : requests(server, row, count));
        } finally {
            bench.lineup().end(name);
        }
    }

    private List<Second> requests(RunningRival server, Row row, int count)
            throws LabException, InterruptedException {
        Trial trial =
                row == Row.SPRING
                        ? new Trial(
                                row.trial,
                                "a page of Spring",
                                appPath,
                                CONNECTIONS,
                                false,
                                Trial.ANY,
                                false)
                        : Trial.named(List.of(row.trial)).getFirst();
        var course = new ArrayList<Second>();
        for (int i = 0; i < count; i++) {
            double before = server.cpuSeconds();
            Wrk.Load load = wrk.load(server.port(), trial, 1);
            double used = server.cpuSeconds() - before;
            course.add(new Second(load.rate(), used, load.errors()));
        }
        return course;
    }

    private List<Second> handshakes(RunningRival server, Row row, int count)
            throws LabException, InterruptedException {
        Tls tls = BoringClients.TLS.withReuse(row == Row.TLS_FULL ? Tls.Reuse.NONE : Tls.Reuse.ALL);
        Load load =
                Load.of("https://localhost:" + server.tlsPort())
                        .withArrivals(Arrivals.closed(CONNECTIONS))
                        .withTime(Duration.ofSeconds(count + 1L))
                        .withDrain(Duration.ZERO)
                        .withClient(Client.DEFAULT.withTls(tls).withResetting(true))
                        .withSeed(run.seed());
        var course = new ArrayList<Second>();
        try (LoadRun handshaking =
                load.start(Repeat.sessions(Call.get("/hello"), 1, Duration.ZERO))) {
            long from = System.nanoTime();
            long replies = 0;
            long errors = 0;
            for (int i = 0; i < count; i++) {
                double before = server.cpuSeconds();
                Thread.sleep(Duration.ofSeconds(1));
                LoadRun.Progress now = handshaking.progress();
                double took = (System.nanoTime() - from) / 1e9;
                from = System.nanoTime();
                course.add(
                        new Second(
                                (now.replies() - replies) / took,
                                server.cpuSeconds() - before,
                                now.errors() - errors));
                replies = now.replies();
                errors = now.errors();
            }
            handshaking.stop();
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
        return course;
    }

    // ---- The report.

    private Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "The first seconds of a server",
                        "How much of its later throughput does a server have right after its start"
                                + "? One processor for the server, one for the clients.");
        for (Case its : cases.values()) {
            if (its.server.startsWith(TANDEM)) {
                headline(findings, samples, its);
            }
        }
        springStart(findings, samples);
        List<Scenario> all = samples.scenarios();
        return findings.chart(
                        Bars.of(
                                new Caption(
                                        "Share of the later throughput",
                                        "Longer is better: in the first and in the third second."
                                                + " Whiskers span all starts."),
                                all.stream().map(Scenario::contender).toList(),
                                Axis.linear("share", ""),
                                List.of(
                                        samples.bars("first second", ColdCourse.FIRST_SHARE, all),
                                        samples.bars("third second", ColdCourse.THIRD_SHARE, all))))
                .table("All figures", samples.table(ColdCourse.FIGURES.toArray(new String[0])))
                .note(
                        "Start: from starting the process to its first 200. Later throughput: the"
                                + " median of the last third of a measurement's seconds.")
                .data("measurements", samples.asList());
    }

    /// With its cache, compared with stock Tomcat.
    private void springStart(Findings findings, Samples samples) {
        String own = new Case(Row.SPRING, TANDEM + SpringRival.CACHED).title();
        if (!cases.containsKey(own)) {
            return;
        }
        double start = samples.median(Scenario.of(own), ColdCourse.START);
        for (var goal : SPRING_GOALS.entrySet()) {
            String stock = new Case(Row.SPRING, goal.getKey()).title();
            findings.headline(
                    new Headline(
                            own + ": start, share of " + stock,
                            start / samples.median(Scenario.of(stock), ColdCourse.START),
                            "",
                            Goal.atMost(goal.getValue())));
        }
    }

    private static void headline(Findings findings, Samples samples, Case its) {
        Scenario scenario = Scenario.of(its.title());
        String what = its.server.equals(TANDEM) ? its.row.title : its.title();
        findings.headline(
                new Headline(
                        what + ": share in the first second",
                        samples.median(scenario, ColdCourse.FIRST_SHARE),
                        "",
                        Goal.atLeast(FIRST_GOAL)));
        findings.headline(
                new Headline(
                        what + ": share in the third second",
                        samples.median(scenario, ColdCourse.THIRD_SHARE),
                        "",
                        Goal.atLeast(THIRD_GOAL)));
        findings.headline(
                new Headline(
                        what + ": CPU until within a tenth of it",
                        samples.median(scenario, ColdCourse.WARM_CPU),
                        "s",
                        Goal.atMost(CPU_GOAL)));
        findings.headline(
                new Headline(
                        what + ": failed or rejected requests",
                        samples.median(scenario, ColdCourse.ERRORS),
                        "",
                        Goal.atMost(0)));
    }
}
