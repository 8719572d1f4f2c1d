package dev.tandem.lab;

import dev.tandem.lab.FleetProxy.Line;
import dev.tandem.lab.FleetProxy.Way;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Several instances of the auction behind HAProxy: overload, a slow one, restarts, a crash, a cold
/// one, more of them, and TLS resumption across them.
final class FleetExperiment {
    private static final List<String> KNOWN =
            List.of("overload", "slow", "restart", "kill", "join", "scale", "tls");

    private static final Setting SCENARIOS =
            new Setting(
                    "scenarios",
                    "NAMES",
                    String.join(",", KNOWN),
                    "kill,tls",
                    "what happens to the fleet");
    private static final Setting PROCESSORS =
            new Setting("processors", "X", "0.2", "of each instance, by a control group");
    private static final Setting PEAK =
            new Setting(
                    "peak", "R", "0", "one instance's completed sessions per second; 0: measured");
    private static final Setting TIMES =
            new Setting("times", "X", "2", "overload, as a multiple of the fleet's capacity");
    private static final Setting WAYS =
            new Setting(
                    "ways",
                    "NAMES",
                    "agent,agent-leastconn,roundrobin,leastconn",
                    "ways to balance in an overload");
    private static final Setting ROUNDS =
            new Setting(
                    "rounds",
                    "N",
                    "3",
                    "1",
                    "measurements of each way in an overload; every second round in reverse");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "10", "counted time of a measurement");
    private static final Setting RAMP =
            new Setting("ramp", "S", "10", "6", "uncounted time before it");
    private static final Setting WARM =
            new Setting("warm", "S", "25", "15", "load on new instances before all else");
    private static final Setting SERVER =
            new Setting(
                    "server",
                    "NAME",
                    "tandem",
                    "or tomcat: the stock one, for an overload by ways without an agent");
    private static final Setting RESTARTS =
            new Setting("restarts", "N", "3", "instances that are restarted, one after the other");
    private static final Setting BOOST =
            new Setting(
                    "boost",
                    "S",
                    "0",
                    "how long a restarted instance keeps a whole processor once it is ready");
    private static final Setting CONNECTIONS =
            new Setting("connections", "N", "20", "the database's, for all instances of scale");
    private static final Setting PAGES =
            new Setting("pages", "N", "15", "maximum pages of a session");
    private static final Setting PACE =
            new Setting("pace", "X", "20", "how many times faster time passes for clients");
    private static final Setting ITERATIONS =
            new Setting("iterations", "N", "1000", "of a new member's password");

    private static final int QUICK_SECONDS = 210;
    private static final int FULL_SECONDS = 800;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "fleet",
                    "three instances behind HAProxy: overload, a slow one, restarts, crashes",
                    List.of(
                            "The auction on PostgreSQL, sessions in Redis or Valkey; each instance",
                            "has a part of a processor, so that a fleet fits on two."),
                    new Experiment.Terms(
                            List.of(
                                    SCENARIOS,
                                    PROCESSORS,
                                    PEAK,
                                    TIMES,
                                    WAYS,
                                    ROUNDS,
                                    SECS,
                                    RAMP,
                                    WARM,
                                    SERVER,
                                    RESTARTS,
                                    BOOST,
                                    CONNECTIONS,
                                    PAGES,
                                    PACE,
                                    ITERATIONS),
                            List.of(
                                    Need.program("haproxy", "apt-get install haproxy"),
                                    Need.descriptors(4_096)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    FleetExperiment::run);

    private static final int INSTANCES = 3;

    /// Load while something happens, as a part of the fleet's capacity: what is left of it must
    /// suffice.
    private static final double CALM_LOAD = 0.5;

    /// With one at half its processors, 2.5 of 3 are left: 90 % of that.
    private static final double SLOW_LOAD = 0.75;

    /// New sessions per second for an instance of unknown capacity.
    private static final double FIRST_RATE = 1.5;

    /// More than all instances can do with two processors.
    private static final double WARM_RATE = 300;

    /// Rates of the search for the peak: each is half more than the one before.
    private static final double STEP = 1.5;

    private static final int STEPS_MAX = 6;

    /// Where fewer of the sessions are completed, the peak has been passed.
    private static final double SATURATED = 0.85;

    private static final double CALM_SECONDS = 3;

    /// Until shares of connections are as they should be: 40 s and two counts.
    private static final int SETTLING_SECONDS = 46;

    /// Instances know that a session has ended when they had no request of it for 30 s: without
    /// some that have, they know no session's length, and their first overload is one of chance.
    private static final int LEARNING_SECONDS = 42;

    /// An instance with a part of a processor compiles for long.
    private static final int WARM_SECONDS_MAX = 150;

    private static final Duration RESTART_MAX = Duration.ofSeconds(40);

    private final Run run;
    private final FleetFindings findings = new FleetFindings();
    private final FleetLoad load;
    private final double ramp;
    private final double seconds;
    private final double processors;
    private final boolean isStock;

    private FleetExperiment(Run run) {
        this.run = run;
        Settings settings = run.settings();
        load =
                FleetLoad.of(
                        settings.number(PAGES, 1, 1_000),
                        settings.decimal(PACE, 0.1, 1_000),
                        run.seed());
        ramp = settings.decimal(RAMP, 1, 600);
        seconds = settings.decimal(SECS, 1, 600);
        processors = settings.decimal(PROCESSORS, 0.05, 16);
        isStock = settings.words(SERVER, List.of("tandem", "tomcat")).contains("tomcat");
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Map<String, String> machine = Machine.describe(run.environment(), Pinning.NONE);
        machine.put(
                "pinning",
                "none: each instance has "
                        + run.settings().decimal(PROCESSORS, 0.05, 16)
                        + " of a processor by a control group; balancer, load, database and store"
                        + " share what is left");
        machine.put("balancer", FleetProxy.version(run.environment().tools()));
        run.facts(machine);
        new FleetExperiment(run).measure(run.settings().words(SCENARIOS, KNOWN));
    }

    private void measure(List<String> scenarios) throws LabException, InterruptedException {
        var shop = new ArrayList<>(scenarios);
        if (shop.remove("tls")) {
            new FleetTls(run, seconds).measure(findings);
            run.keep(findings.all());
        }
        boolean isScaled = shop.remove("scale");
        if (!shop.isEmpty()) {
            try (FleetSite site = open(0)) {
                site.add(shop.equals(List.of("join")) ? INSTANCES - 1 : INSTANCES);
                warm(site);
                double peak = peak(site);
                for (String scenario : shop) {
                    measure(scenario, site, peak);
                    run.keep(findings.all());
                    Thread.sleep(millis(CALM_SECONDS));
                }
            }
        }
        if (isScaled) {
            try (FleetSite site = open(run.settings().number(CONNECTIONS, 5, 80))) {
                scale(site);
                run.keep(findings.all());
            }
        }
    }

    private FleetSite open(int connections) throws LabException, InterruptedException {
        int iterations = run.settings().number(ITERATIONS, 1, 10_000_000);
        return FleetSite.open(
                run, new FleetSite.Plan(processors, iterations, connections, isStock));
    }

    private void measure(String scenario, FleetSite site, double peak)
            throws LabException, InterruptedException {
        run.say(scenario);
        switch (scenario) {
            case "overload" -> overload(site, peak);
            case "slow" -> {
                double rate = SLOW_LOAD * INSTANCES * peak;
                new FleetSlow(site, findings, load, ramp, seconds).measure(ways(), rate, peak);
            }
            case "restart" -> restart(site, peak);
            case "kill" -> kill(site, peak);
            default -> join(site, peak);
        }
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1e3);
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    /// Every code path must be compiled, that of an overload too, which no other load runs; and
    /// each instance must know what it can do, and how many requests a session has. With a whole
    /// processor for each, since a compiler that has a part of one needs minutes; then at a load
    /// for which their parts suffice.
    private void warm(FleetSite site) throws LabException, InterruptedException {
        double warm = run.settings().decimal(WARM, 0, 600);
        if (warm > 0) {
            limit(site, 1);
            load.warm(site, Way.ROUNDROBIN, WARM_RATE, warm);
            limit(site, processors);
            double rate = FIRST_RATE * site.instances().size();
            Way way = isStock ? Way.ROUNDROBIN : Way.AGENT;
            LoadReport report = load.warm(site, way, rate, LEARNING_SECONDS);
            run.say("warm: p99 " + Figures.show(report.measured().millis(99), 0) + " ms");
        }
    }

    private static void limit(FleetSite site, double processors) throws LabException {
        for (FleetInstance each : site.instances()) {
            each.limit(processors);
        }
    }

    /// Returns the sessions per second that one instance completes at most.
    private double peak(FleetSite site) throws LabException, InterruptedException {
        double given = run.settings().decimal(PEAK, 0, 1e6);
        if (given > 0) {
            return given;
        }
        FleetInstance first = site.instances().getFirst();
        double before = first.cpuSeconds();
        LoadReport probe = load.measure(site, Way.ONE, FIRST_RATE, ramp, seconds / 2);
        double used = (first.cpuSeconds() - before) / (ramp + seconds / 2);
        double saturation = FIRST_RATE * processors / used;
        findings.row(
                "probe of one instance",
                "processors at " + FIRST_RATE + " sessions/s",
                Figures.show(used, 3)
                        + ", p99 "
                        + Figures.show(probe.measured().millis(99), 0)
                        + " ms");
        double peak = 0;
        double rate = saturation;
        for (int step = 0; step < STEPS_MAX; step++, rate *= STEP) {
            LoadReport report = load.measure(site, Way.ONE, rate, ramp, seconds);
            double completed = report.sessionsPerSecond();
            peak = Math.max(peak, completed);
            findings.row(
                    "one instance",
                    Figures.show(rate, 1) + " sessions/s",
                    "completed "
                            + Figures.show(completed, 2)
                            + "/s, p99 "
                            + Figures.show(report.measured().millis(99), 0)
                            + " ms");
            if (completed < SATURATED * rate) {
                break;
            }
            Thread.sleep(millis(1));
        }
        Thread.sleep(millis(CALM_SECONDS));
        if (!(peak > 0)) {
            throw new LabException("one instance completes no session");
        }
        findings.peak(peak);
        run.say("one instance completes " + Figures.show(peak, 2) + " sessions/s");
        return peak;
    }

    private void overload(FleetSite site, double peak) throws LabException, InterruptedException {
        double rate = run.settings().decimal(TIMES, 0.1, 10) * INSTANCES * peak;
        List<Way> ways = ways();
        int rounds = run.settings().number(ROUNDS, 1, 100);
        for (int round = 1; round <= rounds; round++) {
            for (Way way : round % 2 == 1 ? ways : ways.reversed()) {
                overload(site, way, rate, round);
                Thread.sleep(millis(CALM_SECONDS));
            }
        }
        ways.forEach(way -> findings.overload(way, INSTANCES * peak));
    }

    private List<Way> ways() throws LabException {
        List<Way> known =
                List.of(
                        Way.AGENT,
                        Way.AGENT_FREE,
                        Way.AGENT_ONCE,
                        Way.AGENT_LEASTCONN,
                        Way.ROUNDROBIN,
                        Way.LEASTCONN);
        List<String> words = run.settings().words(WAYS, known.stream().map(Way::word).toList());
        return words.stream().map(FleetExperiment::way).toList();
    }

    private static Way way(String word) {
        return Stream.of(Way.values())
                .filter(way -> way.word().equals(word))
                .findFirst()
                .orElseThrow();
    }

    private void overload(FleetSite site, Way way, double rate, int round)
            throws LabException, InterruptedException {
        long from = now() + millis(ramp);
        Map<String, Double> before = site.cpuSeconds();
        LoadReport report = watched("overload " + round + ", ", site, way, rate);
        Map<String, Double> after = site.cpuSeconds();
        List<Line> lines = site.proxy().lines(way, from, now());
        double completed = report.sessionsPerSecond();
        findings.overloaded(way, completed, FleetLoad.millis(lines, 0.99));
        findings.row(
                "overload " + round + ", " + way.label,
                Figures.show(rate, 1) + " sessions/s",
                "completed "
                        + Figures.show(completed, 2)
                        + "/s; "
                        + lines.size()
                        + " responses; not good: "
                        + FleetLoad.causes(lines)
                        + "; processors: "
                        + processors(before, after, ramp + seconds));
        run.say(way.label + ": " + Figures.show(completed, 2) + " completed sessions/s");
    }

    private static String processors(
            Map<String, Double> before, Map<String, Double> after, double seconds) {
        var text = new StringJoiner(", ");
        after.forEach(
                (name, used) ->
                        text.add(
                                name
                                        + " "
                                        + Figures.show(
                                                (used - before.getOrDefault(name, 0.0)) / seconds,
                                                2)));
        return text.toString();
    }

    private LoadReport watched(String name, FleetSite site, Way way, double rate)
            throws LabException, InterruptedException {
        try (FleetWatch watch = FleetWatch.start(site, way)) {
            LoadReport report = load.measure(site, way, rate, ramp, seconds);
            findings.watched(name + way.label, watch.samples());
            return report;
        }
    }

    private void restart(FleetSite site, double peak) throws LabException, InterruptedException {
        double rate = CALM_LOAD * INSTANCES * peak;
        int restarts = run.settings().number(RESTARTS, 1, 100);
        try (FleetWatch watch = FleetWatch.start(site, Way.AGENT);
                LoadRun running = load.start(site, Way.AGENT, rate, ramp, 600)) {
            Thread.sleep(millis(ramp + seconds));
            long from = now();
            for (int i = 0; i < restarts; i++) {
                restart(site, site.instances().get(i % INSTANCES));
                findings.watched("restart", watch.samples());
                run.keep(findings.all());
            }
            long until = now();
            running.stop();
            LoadReport report = FleetLoad.report(site, running);
            findings.watched("restart", watch.samples());
            List<Line> before = site.proxy().lines(Way.AGENT, from - millis(seconds), from);
            List<Line> during = site.proxy().lines(Way.AGENT, from, until);
            findings.restart(
                    report.errors().values().stream().mapToLong(Long::longValue).sum(),
                    report.sessions().failed(),
                    FleetLoad.millis(during, 0.99) / FleetLoad.millis(before, 0.99));
            findings.row(
                    "restart",
                    during.size() + " responses in " + (until - from) / 1_000 + " s",
                    "p99 "
                            + Figures.show(FleetLoad.millis(before, 0.99), 0)
                            + " ms before, "
                            + Figures.show(FleetLoad.millis(during, 0.99), 0)
                            + " ms during; "
                            + report.errors()
                            + "; not good: "
                            + FleetLoad.causes(during));
            findings.row("restart", "rejected", watch.rejected());
        }
    }

    private void restart(FleetSite site, FleetInstance each)
            throws LabException, InterruptedException {
        long from = now();
        each.restart(RESTART_MAX);
        long started = now();
        double boost = run.settings().decimal(BOOST, 0, 600);
        each.awaitReady(boost > 0 ? 1 : processors);
        long ready = now();
        Thread.sleep(millis(boost));
        each.limit(processors);
        awaitUse(site, Way.AGENT, each);
        long until = now();
        String name = "restart of " + each.name();
        phase(site, name, "ended after " + seconds(started - from), from, started);
        phase(site, name, "ready after " + seconds(ready - started), started, ready);
        phase(site, name, "warm after " + seconds(until - ready), ready, until);
    }

    private void phase(FleetSite site, String name, String what, long from, long until)
            throws LabException {
        List<Line> lines = site.proxy().lines(Way.AGENT, from, until);
        long repeated = lines.stream().filter(Line::isRepeated).count();
        findings.row(
                name,
                what,
                lines.size()
                        + " responses, "
                        + repeated
                        + " after a repetition, p99 "
                        + Figures.show(FleetLoad.millis(lines, 0.99), 0)
                        + " ms; not good: "
                        + FleetLoad.causes(lines));
    }

    private static String seconds(long millis) {
        return Figures.show(millis / 1e3, 1) + " s";
    }

    /// Waits until an instance is warm and has its part of the requests again, as what restarts
    /// instances should before it drains the next one.
    private void awaitUse(FleetSite site, Way way, FleetInstance instance)
            throws LabException, InterruptedException {
        double share = 0.5 / site.instances().size();
        for (int i = 0; i < WARM_SECONDS_MAX; i++) {
            Thread.sleep(1_000);
            List<Line> last = site.proxy().lines(way, now() - 2_000, now());
            if (FleetWatch.isWarm(instance) && FleetLoad.share(last, instance.name()) >= share) {
                return;
            }
        }
        findings.row("restart", instance.name(), "is cold after " + WARM_SECONDS_MAX + " s");
    }

    private void kill(FleetSite site, double peak) throws LabException, InterruptedException {
        double rate = CALM_LOAD * INSTANCES * peak;
        FleetInstance killed = site.instances().get(1);
        try (LoadRun running = load.start(site, Way.AGENT, rate, ramp, 2 * seconds)) {
            Thread.sleep(millis(ramp + seconds));
            long at = now();
            killed.kill();
            LoadReport report = FleetLoad.report(site, running);
            List<Line> before = site.proxy().lines(Way.AGENT, at - millis(seconds), at);
            List<Line> after = site.proxy().lines(Way.AGENT, at, now());
            double inFlight =
                    before.stream()
                                    .filter(line -> line.server().equals(killed.name()))
                                    .mapToLong(Line::millis)
                                    .sum()
                            / (1e3 * seconds);
            findings.kill(
                    report.errors().values().stream().mapToLong(Long::longValue).sum(),
                    report.sessions().failed(),
                    report.errorCount(Outcome.WRONG_CONTENT),
                    inFlight);
            findings.row(
                    "kill",
                    after.size() + " responses afterwards",
                    "p99 "
                            + Figures.show(FleetLoad.millis(before, 0.99), 0)
                            + " ms before, "
                            + Figures.show(FleetLoad.millis(after, 0.99), 0)
                            + " ms after; "
                            + report.errors()
                            + "; not good: "
                            + FleetLoad.causes(after));
        }
        killed.startAgain();
        killed.awaitReady(processors);
    }

    /// A cold instance; the last one, started again where all run.
    private void join(FleetSite site, double peak) throws LabException, InterruptedException {
        double rate = CALM_LOAD * INSTANCES * peak;
        boolean isMissing = site.instances().size() < INSTANCES;
        if (!isMissing) {
            site.instances().getLast().kill();
        }
        try (LoadRun running = load.start(site, Way.AGENT, rate, ramp, 600)) {
            Thread.sleep(millis(ramp));
            FleetInstance cold;
            if (isMissing) {
                cold = site.startNext();
            } else {
                cold = site.instances().getLast();
                cold.startAgain();
            }
            cold.awaitReady(processors);
            long at = now();
            Thread.sleep(millis(2 * seconds));
            long until = now();
            running.stop();
            LoadReport report = FleetLoad.report(site, running);
            List<Line> lines = site.proxy().lines(Way.AGENT, at, until);
            List<Line> its =
                    lines.stream().filter(line -> line.server().equals(cold.name())).toList();
            List<Line> warm =
                    lines.stream().filter(line -> !line.server().equals(cold.name())).toList();
            findings.join(FleetLoad.millis(its, 0.99) / FleetLoad.millis(warm, 0.99));
            findings.row(
                    "join",
                    its.size() + " of " + lines.size() + " responses by the cold one",
                    "p99 "
                            + Figures.show(FleetLoad.millis(its, 0.99), 0)
                            + " ms, of the others "
                            + Figures.show(FleetLoad.millis(warm, 0.99), 0)
                            + " ms; "
                            + report.errors());
        }
    }

    private void scale(FleetSite site) throws LabException, InterruptedException {
        int budget = site.plan().connections();
        site.add(INSTANCES);
        var counts = new TreeMap<Double, Double>();
        long from = now();
        try (LoadRun running = load.start(site, Way.AGENT, 2 * FIRST_RATE, ramp, 600)) {
            count(site, counts, from, SETTLING_SECONDS);
            for (int i = INSTANCES; i < FleetSite.INSTANCES_MAX; i++) {
                site.startNext();
            }
            for (FleetInstance each : site.instances()) {
                each.awaitReady(processors);
            }
            count(site, counts, from, SETTLING_SECONDS);
            running.stop();
            LoadReport report = FleetLoad.report(site, running);
            findings.scale(budget, counts);
            findings.row(
                    "scale",
                    "from 3 to 5 instances",
                    "errors "
                            + report.errors()
                            + "; completed sessions "
                            + report.sessions().completed());
        }
    }

    private static void count(FleetSite site, Map<Double, Double> counts, long from, int seconds)
            throws LabException, InterruptedException {
        long until = now() + 1_000L * seconds;
        while (now() < until) {
            counts.put((now() - from) / 1e3, (double) site.connections());
            Thread.sleep(250);
        }
    }
}
