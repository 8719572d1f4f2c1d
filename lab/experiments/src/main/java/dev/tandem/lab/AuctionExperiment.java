package dev.tandem.lab;

import dev.tandem.lab.Certificate.Kind;
import dev.tandem.lab.shops.AuctionClients;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// RUBiS' clients in the auction, at a load above the server's capacity: replies, completed
/// sessions and session lengths, in plain text as in Carrera et al. (ICPADS 2005, figures 4 to 6)
/// and over TLS (Guitart et al., HPCC 2005, figures 1 to 7).
final class AuctionExperiment {
    static final String TANDEM = "tandem";

    /// Suffix of the names of contenders without TLS, in an experiment where the others use it.
    static final String PLAIN = ", plain";

    /// The multi-threaded rival with other threads and time-outs.
    static final String SEARCHED = "searched";

    // Parameters of its scenarios.
    static final String ITS_THREADS = "threads";
    static final String ITS_KEEP_ALIVE = "keep-alive s";

    // Figures in addition to those of [AppliedLoad].
    static final String OFFERED = "offered session s";
    static final String MEANT = "intended session s";
    static final String DATABASE = "database's processors";

    private static final List<String> KNOWN =
            List.of(TANDEM, "multi-threaded", JavaRival.BLOCKING, "tomcat", "tomcat-virtual");

    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,multi-threaded,tomcat-blocking",
                    "tandem,multi-threaded,tomcat-blocking,tomcat",
                    "contenders, where they are installed: " + String.join(", ", KNOWN));
    private static final Setting SHARES =
            new Setting(
                    "shares",
                    "LIST",
                    "0.25,0.5,0.75,1,1.25,1.5,1.75,2",
                    "1,2",
                    "rates, as shares of what saturates Tandem");

    /// Over TLS the rivals are saturated far below Tandem: the lowest rate is one that they can
    /// sustain, in the quick form, too.
    private static final Setting SECURE_SHARES =
            new Setting(
                    SHARES.name(),
                    SHARES.placeholder(),
                    SHARES.fallback(),
                    "0.25,2",
                    SHARES.help());

    private static final Setting THREADS =
            new Setting("threads", "N", "200", "maximum of each; virtual ones have no limit");
    private static final Setting KEY =
            new Setting(
                    "key",
                    "KIND",
                    "rsa",
                    "of the certificate: rsa (2,048 bits), rsa4096 or ec (P-256)");
    private static final Setting RAMP =
            new Setting("ramp", "S", "16", "10", "uncounted time at a measurement's beginning");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "8", "counted time of a measurement");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "how often each is measured");

    private static final Setting WARM =
            new Setting(Sweep.WARM.name(), "S", "40", "15", Sweep.WARM.help());

    private static final Setting SEARCHED_THREADS =
            new Setting(
                    "searched-threads",
                    "LIST",
                    "0",
                    "the multi-threaded rival's, each with each time-out, at the highest rate;"
                            + " 0: no search");
    private static final Setting SEARCHED_KEEP_ALIVE =
            new Setting(
                    "searched-keep-alive",
                    "LIST",
                    "1,15",
                    "its time-outs in that search, in seconds, before --pace");

    private static final List<Setting> SETTINGS =
            Processors.after(
                    List.of(
                            CONTENDERS,
                            SHARES,
                            THREADS,
                            SEARCHED_THREADS,
                            SEARCHED_KEEP_ALIVE,
                            OwnRival.COYOTE,
                            DatabaseProcess.KIND,
                            AuctionSize.USERS,
                            AuctionSite.MIX,
                            AuctionSite.PAGES,
                            AuctionSite.PACE,
                            AuctionSite.KEEP_ALIVE,
                            AuctionSite.PATIENCE,
                            AuctionSite.ITERATIONS,
                            Sweep.SATURATION,
                            Processors.PART,
                            REPETITIONS,
                            SECS,
                            RAMP,
                            WARM));

    /// New sessions per second, for a server of unknown capacity.
    private static final double FIRST_RATE = 20;

    /// With the ramp before it, or half of a quick form's, a step is longer than a session; six of
    /// them also warm the server.
    private static final double PROBE_SECONDS = 3;

    /// The longest of a probe's sessions, however long those of the measurements are.
    private static final double PROBE_RAMP_SECONDS_MAX = 16;

    /// An hour: sessions without compressed time last for twenty minutes.
    private static final double SECONDS_MAX = 3_600;

    private static final int THREADS_MAX = 16_384;

    /// Of the descriptors, for clients: the rest is for slow responses, which keep sessions longer.
    private static final double DESCRIPTORS_SHARE_MAX = 0.75;

    /// Until an overloaded server is calm again, its sessions are evaluated, and its database is
    /// what it was.
    private static final double ASIDE_SECONDS = 2.5;

    private static final int QUICK_SECONDS = 300;
    private static final int FULL_SECONDS = 3_300;
    private static final int SECURE_SECONDS = 360;
    private static final int SECURE_FULL_SECONDS = 3_600;

    static final Experiment DYNAMIC =
            new Experiment(
                    "dynamic",
                    "sessions in the auction of RUBiS at up to twice the saturation",
                    List.of(
                            "A session is completed if each reply was the requested page,"
                                    + " complete."),
                    new Experiment.Terms(
                            SETTINGS,
                            List.of(Need.descriptors(4_096)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(run -> run(run, false)));

    static final Experiment SECURE =
            new Experiment(
                    "secure",
                    "the auction over TLS at up to twice the saturation, and the cost of TLS",
                    List.of("As dynamic; each contender is measured without TLS at the end, too."),
                    new Experiment.Terms(
                            secureSettings(),
                            List.of(Need.descriptors(4_096)),
                            SECURE_SECONDS,
                            SECURE_FULL_SECONDS),
                    OwnNetwork.of(run -> run(run, true)));

    private static List<Setting> secureSettings() {
        var all = new ArrayList<>(SETTINGS);
        all.replaceAll(setting -> setting.equals(SHARES) ? SECURE_SHARES : setting);
        all.add(KEY);
        return all;
    }

    private final Run run;
    private final Bench bench;
    private final AuctionSite site;
    private final boolean isSecure;

    /// Null if servers have a whole processor.
    private final @Nullable ProcessorGroup group;

    /// Where Tandem explains its decisions.
    private final int managePort = FreePorts.next();

    private final List<String> names = new ArrayList<>();

    /// Rules that the books of a contender violate, over all checks.
    private final Map<String, Integer> violated = new HashMap<>();

    private final Map<String, @Nullable Object> explained = new LinkedHashMap<>();

    private AuctionExperiment(
            Run run,
            Bench bench,
            AuctionSite site,
            boolean isSecure,
            @Nullable ProcessorGroup group)
            throws LabException {
        this.run = run;
        this.bench = bench;
        this.site = site;
        this.isSecure = isSecure;
        this.group = group;
    }

    private static void run(Run run, boolean isSecure) throws LabException, InterruptedException {
        // It can be removed when its servers have ended: it is closed last.
        try (ProcessorGroup group = Processors.group(run, "auction");
                Bench bench = Bench.open(run, Processors.pinning(run, 1));
                AuctionSite site = AuctionSite.open(run, bench)) {
            var experiment = new AuctionExperiment(run, bench, site, isSecure, group);
            experiment.fill();
            experiment.measure();
        }
    }

    private void fill() throws LabException, InterruptedException {
        Settings settings = run.settings();
        double keepAlive = settings.decimal(AuctionSite.KEEP_ALIVE, 0.01, 3_600);
        RivalSettings its =
                RivalSettings.DEFAULT
                        .withThreads(settings.number(THREADS, 1, THREADS_MAX))
                        .withShortened(OwnRival.isShortened(settings))
                        .withKeepAlive(site.faster(keepAlive));
        if (isSecure) {
            String kind = settings.words(KEY, List.of("rsa", "rsa4096", "ec")).getFirst();
            Kind key = Kind.valueOf(kind.toUpperCase(Locale.ROOT));
            its = its.withCertificate(Certificate.make(bench.workFolder().folder(), key));
        }
        var missing = new ArrayList<String>();
        List<String> asked = settings.words(CONTENDERS, KNOWN);
        List<Rival> here = Rivals.here(asked, run.environment().tools(), missing);
        here.forEach(rival -> names.add(rival.name()));
        site.fill(bench, names);
        for (Rival rival : here) {
            RivalSettings own = rival.name().equals(TANDEM) ? its.withManagePort(managePort) : its;
            bench.lineup().add(rival.name(), site.entry(rival, own, bench.pinning().serverList()));
            bench.lineup().same(rival.name() + PLAIN, rival.name());
        }
        missing.forEach(run::gap);
        addSearched(its);
    }

    private void addSearched(RivalSettings like) throws LabException {
        for (Scenario pair : searched()) {
            RivalSettings its =
                    like.withThreads((int) pair.at(ITS_THREADS))
                            .withKeepAlive(site.faster(pair.at(ITS_KEEP_ALIVE)));
            bench.lineup()
                    .add(
                            pair.toString(),
                            site.entry(OwnRival.MULTI_THREADED, its, bench.pinning().serverList()));
        }
    }

    /// All pairs of threads and time-outs that are searched, without a load.
    private List<Scenario> searched() {
        Settings settings = run.settings();
        var pairs = new ArrayList<Scenario>();
        List<Double> times = settings.decimals(SEARCHED_KEEP_ALIVE, 0.01, 3_600);
        for (double threads : settings.decimals(SEARCHED_THREADS, 0, THREADS_MAX)) {
            for (double time : times) {
                if (threads >= 1) {
                    pairs.add(
                            Scenario.of(SEARCHED, ITS_THREADS, Math.rint(threads))
                                    .with(ITS_KEEP_ALIVE, time));
                }
            }
        }
        return pairs;
    }

    private void measure() throws LabException, InterruptedException {
        Settings settings = run.settings();
        var timing =
                new AppliedLoad.Timing(
                        settings.decimal(RAMP, 0, SECONDS_MAX),
                        settings.decimal(SECS, 0.1, SECONDS_MAX));
        AppliedLoad load = site.play(run, timing);
        double most = timing.rampSeconds() / (run.form() == Form.QUICK ? 2 : 1);
        double probeRamp = Math.min(PROBE_RAMP_SECONDS_MAX, most);
        AppliedLoad probe =
                site.withShortSessions()
                        .play(run, new AppliedLoad.Timing(probeRamp, PROBE_SECONDS));
        Sweep sweep = Sweep.of(run, bench.lineup(), load).probing(probe, FIRST_RATE);
        double saturation = sweep.saturation(names.getFirst(), Processors.part(run));
        List<Double> shares = settings.decimals(SHARES, 0.01, 10);
        var scenarios = new ArrayList<>(sweep.scenarios(names, shares));
        if (isSecure) {
            List<String> plain = names.stream().map(name -> name + PLAIN).toList();
            scenarios.addAll(sweep.scenarios(plain, List.of(shares.getLast())));
        }
        double highest = Sweep.rate(saturation, shares.getLast());
        needDescriptors(highest);
        searched().forEach(pair -> scenarios.add(pair.with(Sweep.RATE, highest)));
        boolean isQuick = run.form() == Form.QUICK;
        double box =
                isSecure
                        ? isQuick ? SECURE_SECONDS : SECURE_FULL_SECONDS
                        : isQuick ? QUICK_SECONDS : FULL_SECONDS;
        int repetitions = settings.number(REPETITIONS, 1, 99);
        int warmed = names.size() + repetitions * searched().size();
        double warm = settings.decimal(WARM, 0, 120) * warmed / scenarios.size();
        var findings = new AuctionFindings(names, saturation, isSecure, note(), explained);
        Samples samples =
                new Repetitions(
                                run,
                                scenarios,
                                new Repetitions.Plan(
                                        repetitions,
                                        warm,
                                        timing.totalSeconds() + ASIDE_SECONDS,
                                        box))
                        .measure(new SessionRunner(load, probe, saturation, highest), findings::of);
        run.keep(findings.of(samples).headline(books()));
    }

    /// Each client has a connection: servers and generator have one limit.
    private void needDescriptors(double rate) throws LabException {
        double clients = rate * site.sessionSeconds();
        if (clients > DESCRIPTORS_SHARE_MAX * Kernel.descriptorsMax()) {
            throw new LabException(
                    "some "
                            + Figures.show(clients, 0)
                            + " clients would be connected at once: raise the limit by ulimit -n,"
                            + " or choose a smaller --processor-part, or --shares");
        }
    }

    private String note() {
        double part = Processors.part(run);
        return site.note()
                + (part < 1
                        ? " The measured server has " + Figures.show(part, 2) + " of a processor."
                        : "");
    }

    /// Every code path of Catalina, the driver and the templates must be compiled.
    private void warm(AppliedLoad load, String name, double rate)
            throws LabException, InterruptedException {
        if (bench.lineup().markWarm(name)) {
            double seconds = run.settings().decimal(WARM, 0, 120);
            load.warm(run, name, bench.lineup().running(name), rate, seconds);
            bench.lineup().calm(name);
        }
    }

    /// The books of a server that is calm decide: they show what it lost or did twice under load.
    private void checkBooks(String name) throws LabException, InterruptedException {
        for (String line : site.violations(name)) {
            run.say("the database of " + name + ": " + line);
            violated.merge(name, 1, Integer::sum);
        }
    }

    private List<Headline> books() {
        return names.stream()
                .map(
                        name ->
                                new Headline(
                                        "violated rules of the database of " + name + " afterwards",
                                        violated.getOrDefault(name, 0),
                                        "",
                                        Headline.Goal.atMost(0)))
                .toList();
    }

    /// Runs the load, and records the intended length of the completed sessions.
    private final class SessionRunner implements Repetitions.Runner {
        private final AppliedLoad load;
        private final AppliedLoad warming;
        private final double warmRate;
        private final double highest;

        /// @param warming with the same pages, in sessions that may be shorter
        /// @param highest rate, after which books are checked
        SessionRunner(AppliedLoad load, AppliedLoad warming, double saturation, double highest) {
            this.load = load;
            this.warming = warming;
            this.highest = highest;
            warmRate = saturation * load.clients().callsEach() / warming.clients().callsEach();
        }

        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            if (!isSearched(scenario)) {
                AuctionExperiment.this.warm(warming, scenario.contender(), warmRate);
            }
        }

        private static boolean isSearched(Scenario scenario) {
            return scenario.contender().equals(SEARCHED);
        }

        /// Name in the lineup.
        private static String server(Scenario scenario) {
            return isSearched(scenario)
                    ? Scenario.of(SEARCHED, ITS_THREADS, scenario.at(ITS_THREADS))
                            .with(ITS_KEEP_ALIVE, scenario.at(ITS_KEEP_ALIVE))
                            .toString()
                    : scenario.contender();
        }

        /// Whose database its server has.
        private static String owner(Scenario scenario) {
            return isSearched(scenario)
                    ? OwnRival.MULTI_THREADED.name()
                    : scenario.contender().replace(PLAIN, "");
        }

        /// Those of the search have a server each, which ends after its measurement.
        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            if (!isSearched(scenario)) {
                return measureOnce(scenario, repetition);
            }
            try {
                return measureOnce(scenario, repetition);
            } finally {
                bench.lineup().end(server(scenario));
            }
        }

        private Reading measureOnce(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            // Again if it was restarted since.
            AuctionExperiment.this.warm(warming, server(scenario), warmRate);
            site.restoreDatabase(bench, owner(scenario));
            boolean isPlain = scenario.contender().endsWith(PLAIN);
            RunningRival running = bench.lineup().running(server(scenario));
            RunningRival server = isPlain ? running.plain() : running;
            if (group != null) {
                group.add(running.pid());
            }
            double rate = scenario.at(Sweep.RATE);
            long seed = load.seed() + repetition;
            double before = site.database().cpuSeconds();
            long from = System.nanoTime();
            var lives = new SessionLengths(load.timing());
            AuctionClients clients = site.clients(lives::ended);
            Reading reading =
                    ThreadStates.during(
                            running.process(),
                            load.timing().rampSeconds(),
                            () ->
                                    load.with(load.clients().with(clients))
                                            .withSeed(seed)
                                            .measure(server, rate));
            double wall = (System.nanoTime() - from) / 1e9;
            Map<String, Double> figures = new LinkedHashMap<>(reading.figures());
            figures.put(DATABASE, (site.database().cpuSeconds() - before) / wall);
            figures.put(MEANT, lives.mean());
            figures.put(OFFERED, SessionLengths.offered(clients, rate, load.timing(), seed));
            if (scenario.contender().equals(TANDEM)) {
                List<String> lines = Caller.explanation(managePort).lines().toList();
                explained.put(Figures.show(rate, 1) + "/s", lines);
            }
            if (!isSearched(scenario)) {
                bench.lineup().calm(server(scenario));
                if (rate >= highest) {
                    checkBooks(owner(scenario));
                }
            }
            return new Reading(figures, loadShare(reading.generatorShare(), figures));
        }

        private double loadShare(double generatorShare, Map<String, Double> figures)
                throws LabException {
            Pinning pinning = bench.pinning();
            String databases = Processors.ofDatabase(pinning, Kernel.processors());
            boolean isShared = !databases.isEmpty() && databases.equals(pinning.loadList());
            return isShared
                    ? sharedBy(generatorShare, figures, pinning.load().size())
                    : generatorShare;
        }
    }

    /// What is used of the load's processors where the database runs there, too.
    ///
    /// @param processors of the load
    static double sharedBy(double generatorShare, Map<String, Double> figures, int processors) {
        double generator =
                figures.getOrDefault(AppliedLoad.GENERATOR_MICROS, 0.0)
                        * figures.getOrDefault(AppliedLoad.REPLIES, 0.0)
                        / 1e6;
        double used = (generator + figures.getOrDefault(DATABASE, 0.0)) / processors;
        // Unknown without a reply.
        return Double.isNaN(used) ? generatorShare : Math.max(generatorShare, used);
    }
}
