package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An event-driven server, servers with a thread for each connection and the hybrid, by concurrent
/// clients of Surge: on one processor, on two, and where the link is the bottleneck, as in section
/// 3.1 of Beltran's thesis (2008).
final class NioExperiment {
    /// The swept parameter: how many clients there are at any time.
    static final String CLIENTS = "clients";

    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,event-driven-1,httpd-worker-500,httpd-worker-6000,multi-threaded-500,"
                            + "tomcat-blocking-500",
                    "tandem,event-driven-1,httpd-worker-500,httpd-worker-6000",
                    "contenders, where they are installed, with their threads");
    private static final Setting CONDITIONS =
            new Setting(
                    "conditions",
                    "NAMES",
                    "one",
                    "one,two,100mbit",
                    "some of " + String.join(",", NioCondition.words()));
    private static final Setting LOADS =
            new Setting(
                    "clients",
                    "LIST",
                    "600,1200,2000,3000,4500,6000",
                    "600,6000",
                    "concurrent clients, each with up to two connections");
    private static final Setting PROCESSORS =
            new Setting("processors", "N", "2", "of the server where it has more than one");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "how often each is measured");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "3", "counted time of a measurement");

    private static final int CLIENTS_MAX = 100_000;

    /// Descriptors of 6,000 clients with two connections each, and of the JVM's files.
    private static final int DESCRIPTORS = 12_500;

    /// On links clients think as long as Surge's do. At the pace of the other conditions the fewest
    /// of them would ask for ten times what the link carries.
    private static final double LINK_PACE = 1;

    /// Times the usual ramp, since sessions take so much longer there.
    private static final double LINK_RAMP = 3;

    /// Of a slow client's connection, in bytes per second: 1 Mbit/s.
    private static final int SLOW_RATE = 125_000;

    private static final int QUICK_SECONDS = 170;
    private static final int FULL_SECONDS = 2_620;

    /// No repetition begins that would end later.
    private static final int QUICK_SECONDS_MAX = 300;

    private static final int FULL_SECONDS_MAX = 3_600;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "nio",
                    "compares events with a thread per connection, by clients: processors, links",
                    List.of(
                            "With two processors the load shares them with the server. Links need"
                                    + " root and tc."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            CONTENDERS,
                                            CONDITIONS,
                                            LOADS,
                                            PROCESSORS,
                                            SurgeSite.KEEP_ALIVE,
                                            SurgeSite.PACE,
                                            SurgeSite.FILES,
                                            SurgeSite.PATIENCE,
                                            REPETITIONS,
                                            SECS,
                                            Sweep.RAMP,
                                            Sweep.WARM)),
                            List.of(
                                    Need.descriptors(DESCRIPTORS),
                                    Need.peer("apache2", "apt-get install apache2"),
                                    Need.peer("tc", "apt-get install iproute2")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    NioExperiment::run);

    private final Run run;
    private final Bench bench;
    private final SurgeSite site;
    private final SurgeSite linkSite;
    private final List<NioCondition> conditions;
    private final List<String> contenders = new ArrayList<>();

    private NioExperiment(Run run, Bench bench, List<NioCondition> conditions) throws LabException {
        this.run = run;
        this.bench = bench;
        this.site = SurgeSite.make(run, bench.workFolder());
        this.linkSite = site.withPace(run, LINK_PACE);
        this.conditions = conditions;
    }

    static void run(Run run) throws LabException, InterruptedException {
        List<String> asked = run.settings().words(CONDITIONS, NioCondition.words());
        List<NioCondition> conditions = NioCondition.of(asked);
        if (conditions.stream().noneMatch(condition -> condition.megabits() > 0)) {
            OwnNetwork.of(its -> measure(its, conditions, null)).run(run);
            return;
        }
        String problem = LimitedLink.problem();
        if (problem.isEmpty()) {
            LimitedLink.run(link -> measure(run, conditions, link));
        } else {
            run.gap("links of 100 and 200 Mbit/s: " + problem + "; slow clients stand in");
            measure(run, NioCondition.withoutLinks(conditions), null);
        }
    }

    /// @param link null if no condition needs one
    private static void measure(Run run, List<NioCondition> conditions, @Nullable LimitedLink link)
            throws LabException, InterruptedException {
        int most = run.settings().number(PROCESSORS, 2, 1_024);
        try (Bench bench = Bench.open(run, Processors.pinning(run, most))) {
            var experiment = new NioExperiment(run, bench, conditions);
            experiment.fill(most);
            experiment.measure(link);
        }
    }

    /// Adds a server for each contender and condition.
    private void fill(int most) throws LabException, InterruptedException {
        Settings settings = run.settings();
        double keepAlive = settings.decimal(SurgeSite.KEEP_ALIVE, 0.01, 3_600);
        List<Integer> one = bench.pinning().serverList();
        List<Integer> all = Processors.ofServer(run);
        List<Integer> two = all.subList(0, Math.min(most, all.size()));
        var missing = new ArrayList<String>();
        String names = settings.text(CONTENDERS);
        Toolbox tools = run.environment().tools();
        for (NioContender its : NioContender.here(CONTENDERS, names, tools, missing)) {
            contenders.add(its.name());
            for (NioCondition condition : conditions) {
                SurgeSite from = condition.isSlow() ? linkSite : site;
                var entry =
                        new Lineup.Entry(
                                its.rival(),
                                site.root(),
                                condition == NioCondition.TWO ? two : one,
                                its.settings(from, keepAlive));
                bench.lineup().add(its.name() + condition.suffix(), entry);
            }
        }
        missing.forEach(run::gap);
    }

    private void measure(@Nullable LimitedLink link) throws LabException, InterruptedException {
        List<Double> loads = run.settings().decimals(LOADS, 1, CLIENTS_MAX);
        AppliedLoad.Timing timing = Sweep.timing(run);
        Sweep sweep = sweep(site.play(run, timing), loads);
        var slowTiming = new AppliedLoad.Timing(LINK_RAMP * timing.rampSeconds(), timing.seconds());
        AppliedLoad slow = linkSite.play(run, slowTiming);
        Sweep linkSweep = sweep(slow, loads);
        LoadClients readers =
                slow.clients().with(slow.clients().client().withReceiveRate(SLOW_RATE));
        var sweeps =
                new Sweeps(sweep)
                        .with(NioCondition.SLOW.suffix(), sweep(slow.with(readers), loads));
        for (NioCondition condition : conditions) {
            if (condition.megabits() > 0) {
                sweeps.with(condition.suffix(), linkSweep);
            }
        }
        List<Scenario> scenarios = scenarios(contenders, conditions, loads);
        boolean isQuick = run.form() == Form.QUICK;
        boolean isSlow = conditions.stream().allMatch(NioCondition::isSlow);
        Repetitions.Plan plan =
                (isSlow ? linkSweep : sweep)
                        .plan(
                                run,
                                scenarios.size(),
                                isQuick ? QUICK_SECONDS_MAX : FULL_SECONDS_MAX);
        var findings = new NioFindings(contenders, conditions, site.note());
        new Repetitions(run, scenarios, plan)
                .measure(link == null ? sweeps : new Linked(sweeps, link), findings::of);
    }

    /// Each server is warmed by three quarters of the most clients.
    private Sweep sweep(AppliedLoad load, List<Double> loads) {
        var sweep = Sweep.of(run, bench.lineup(), load.closed(), new Sweep.Unit(CLIENTS, 1));
        sweep.setSaturation(loads.getLast());
        return sweep;
    }

    /// By ascending load: all contenders of all conditions at each.
    static List<Scenario> scenarios(
            List<String> contenders, List<NioCondition> conditions, List<Double> loads) {
        var scenarios = new ArrayList<Scenario>();
        for (double load : loads) {
            for (NioCondition condition : conditions) {
                for (String contender : contenders) {
                    String name = contender + condition.suffix();
                    scenarios.add(Scenario.of(name, CLIENTS, Math.rint(load)));
                }
            }
        }
        return scenarios;
    }

    /// Sets the link as a scenario's condition needs it.
    private final class Linked implements Repetitions.Runner {
        private final Repetitions.Runner inner;
        private final LimitedLink link;

        Linked(Repetitions.Runner inner, LimitedLink link) {
            this.inner = inner;
            this.link = link;
        }

        private void limit(Scenario scenario) throws LabException, InterruptedException {
            int megabits = 0;
            for (NioCondition condition : conditions) {
                boolean isHere = scenario.contender().endsWith(condition.suffix());
                megabits = isHere ? condition.megabits() : megabits;
            }
            link.limit(megabits);
        }

        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            limit(scenario);
            inner.warm(scenario);
        }

        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            limit(scenario);
            return inner.measure(scenario, repetition);
        }
    }
}
