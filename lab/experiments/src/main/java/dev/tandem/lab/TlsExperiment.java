package dev.tandem.lab;

import dev.tandem.lab.Certificate.Kind;
import dev.tandem.load.Client;
import dev.tandem.load.Tls;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Sessions over TLS: the cost of full handshakes for a server that closes idle connections, and
/// for one that does not, as section 3.2 of Beltran's thesis (2008): scalability, reuse of
/// sessions, retries on failure and the clients' patience.
final class TlsExperiment {
    static final String TANDEM = StaticExperiment.TANDEM;
    static final String THREADED = StaticExperiment.THREADED;
    private static final List<String> KNOWN =
            List.of(TANDEM, THREADED, "httpd-worker", JavaRival.BLOCKING, "tomcat");

    // Conditions, as suffixes of contenders' names.
    static final String TWO = ", two processors";
    static final String AFRESH = ", no reuse";
    static final String AGAIN = ", retries";
    static final String HASTY = ", hasty";
    static final String PATIENT = ", patient";

    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,multi-threaded,httpd-worker,tomcat-blocking",
                    "contenders, where they are installed; tomcat is one, too");
    private static final Setting SHARES =
            new Setting(
                    "shares",
                    "LIST",
                    "0.25,0.5,0.75,1,1.25,1.5",
                    "0.5,1,1.5",
                    "rates, as shares of what saturates Tandem on one processor");
    private static final Setting AFRESH_SHARES =
            new Setting("afresh-shares", "LIST", "0.25,0.5,1", "0.5", "the same without reuse");
    private static final Setting TWO_SHARES =
            new Setting(
                    "two-shares",
                    "LIST",
                    "0.5,0.75,1,1.25,1.5,2",
                    "0.75",
                    "the same on two processors");
    private static final Setting PROCESSORS =
            new Setting("processors", "N", "2", "of the server where it has more than one");
    private static final Setting WORKERS =
            new Setting("workers", "N", "50", "Tandem's threads for requests");
    private static final Setting THREADS =
            new Setting("threads", "N", "100", "the others', one a connection");
    private static final Setting KEEP_ALIVE =
            new Setting("keep-alive", "S", "10", "their time-out, in seconds, before --pace");
    private static final Setting HASTY_PATIENCE =
            new Setting("hasty", "S", "3", "patience of hasty clients, in seconds, before --pace");
    private static final Setting PATIENT_PATIENCE =
            new Setting("patient", "S", "60", "that of patient ones");
    private static final Setting RETRIES =
            new Setting("retries", "N", "3", "retries of a client, where it retries");
    private static final Setting KEY =
            new Setting("key", "KIND", "rsa", "of the certificate: rsa (2,048 bits) or ec (P-256)");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "2", "how often each is measured");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "2", "counted time of a measurement");

    private static final int THREADS_MAX = 16_384;
    private static final int QUICK_SECONDS = 165;
    private static final int FULL_SECONDS = 3_450;

    /// No repetition begins that would end later.
    private static final int FULL_SECONDS_MAX = 3_600;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "tls",
                    "compares on Surge over TLS: handshakes, reuse, retries, patience",
                    List.of("Throughput, completed sessions and handshakes by new sessions/s."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            CONTENDERS,
                                            PROCESSORS,
                                            OwnRival.COYOTE,
                                            SHARES,
                                            AFRESH_SHARES,
                                            TWO_SHARES,
                                            WORKERS,
                                            THREADS,
                                            KEEP_ALIVE,
                                            HASTY_PATIENCE,
                                            PATIENT_PATIENCE,
                                            RETRIES,
                                            KEY,
                                            SurgeSite.PACE,
                                            SurgeSite.FILES,
                                            SurgeSite.PATIENCE,
                                            Sweep.SATURATION,
                                            REPETITIONS,
                                            SECS,
                                            Sweep.RAMP,
                                            Sweep.WARM)),
                            List.of(
                                    Need.descriptors(4_096),
                                    Need.peer("apache2", "apt-get install apache2")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(TlsExperiment::run));

    private final Run run;
    private final Bench bench;
    private final SurgeSite site;
    private final Certificate certificate;
    private final List<String> names = new ArrayList<>();

    private TlsExperiment(Run run, Bench bench) throws LabException, InterruptedException {
        this.run = run;
        this.bench = bench;
        this.site = SurgeSite.make(run, bench.workFolder());
        String kind = run.settings().words(KEY, List.of("rsa", "ec")).getFirst();
        Kind key = Kind.valueOf(kind.toUpperCase(Locale.ROOT));
        this.certificate = Certificate.make(bench.workFolder().folder(), key);
    }

    static void run(Run run) throws LabException, InterruptedException {
        int most = run.settings().number(PROCESSORS, 2, 1_024);
        try (Bench bench = Bench.open(run, Processors.pinning(run, most))) {
            var experiment = new TlsExperiment(run, bench);
            experiment.fill();
            experiment.measure();
        }
    }

    // ---- Contenders.

    private void fill() throws LabException, InterruptedException {
        var missing = new ArrayList<String>();
        List<String> asked = run.settings().words(CONTENDERS, KNOWN);
        List<Integer> all = Processors.ofServer(run);
        int most = Math.min(run.settings().number(PROCESSORS, 2, 1_024), all.size());
        List<Integer> two = all.subList(0, most);
        for (Rival rival : Rivals.here(asked, run.environment().tools(), missing)) {
            names.add(rival.name());
            bench.lineup().add(rival.name(), entry(rival, bench.pinning().serverList()));
            if (isOurs(rival.name())) {
                bench.lineup().add(rival.name() + TWO, entry(rival, two));
                for (String condition : List.of(AFRESH, AGAIN, HASTY, PATIENT)) {
                    bench.lineup().same(rival.name() + condition, rival.name());
                }
            }
        }
        missing.forEach(run::gap);
    }

    private static boolean isOurs(String name) {
        return name.equals(TANDEM) || name.equals(THREADED);
    }

    private Lineup.Entry entry(Rival rival, List<Integer> processors) {
        Settings settings = run.settings();
        boolean isTandem = rival.name().equals(TANDEM);
        int threads = settings.number(isTandem ? WORKERS : THREADS, 1, THREADS_MAX);
        double keepAlive = settings.decimal(KEEP_ALIVE, 0.01, 3_600);
        RivalSettings its =
                RivalSettings.DEFAULT
                        .withThreads(threads)
                        .withKeepAlive(site.faster(keepAlive))
                        .withShortened(OwnRival.isShortened(settings))
                        .withCertificate(certificate);
        return new Lineup.Entry(rival, site.root(), processors, its);
    }

    private List<String> ours(String condition) {
        return names.stream().filter(TlsExperiment::isOurs).map(n -> n + condition).toList();
    }

    // ---- Loads.

    private void measure() throws LabException, InterruptedException {
        Settings settings = run.settings();
        AppliedLoad load = site.play(run, Sweep.timing(run));
        Sweep sweep = Sweep.of(run, bench.lineup(), load);
        double saturation = sweep.saturation(names.getFirst());
        List<Double> shares = settings.decimals(SHARES, 0.01, 10);
        List<Double> highest = List.of(shares.getLast());
        var sweeps = new Sweeps(sweep);
        var scenarios = new ArrayList<>(sweep.scenarios(names, shares));
        scenarios.addAll(sweep.scenarios(ours(TWO), settings.decimals(TWO_SHARES, 0.01, 10)));
        for (Condition condition : conditions(load.clients())) {
            Sweep its = Sweep.of(run, bench.lineup(), load.with(condition.clients));
            its.setSaturation(saturation);
            sweeps.with(condition.name, its);
            boolean isAfresh = condition.name.equals(AFRESH);
            List<Double> at = isAfresh ? settings.decimals(AFRESH_SHARES, 0.01, 10) : highest;
            scenarios.addAll(its.scenarios(ours(condition.name), at));
        }
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS_MAX;
        var findings = new TlsFindings(names, saturation, site.note());
        new Repetitions(run, scenarios, sweep.plan(run, scenarios.size(), box))
                .measure(new Watched(sweeps, load.timing()), samples -> findings.of(samples));
    }

    /// Watches the server's threads meanwhile.
    private final class Watched implements Repetitions.Runner {
        private final Repetitions.Runner inner;
        private final AppliedLoad.Timing timing;

        Watched(Repetitions.Runner inner, AppliedLoad.Timing timing) {
            this.inner = inner;
            this.timing = timing;
        }

        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            inner.warm(scenario);
        }

        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            RunningRival server = bench.lineup().running(scenario.contender());
            return ThreadStates.during(
                    server.process(),
                    timing.rampSeconds(),
                    () -> inner.measure(scenario, repetition));
        }
    }

    /// Clients of another kind.
    private record Condition(String name, LoadClients clients) {}

    private List<Condition> conditions(LoadClients usual) {
        Settings settings = run.settings();
        Client client = usual.client();
        Tls afresh = client.tls().withReuse(Tls.Reuse.NONE);
        int retries = settings.number(RETRIES, 1, 100);
        double hasty = settings.decimal(HASTY_PATIENCE, 0.1, 600);
        double patient = settings.decimal(PATIENT_PATIENCE, 0.1, 600);
        return List.of(
                new Condition(AFRESH, usual.with(client.withTls(afresh))),
                new Condition(AGAIN, usual.with(client.withRetriesMax(retries))),
                new Condition(HASTY, usual.with(site.faster(hasty))),
                new Condition(PATIENT, usual.with(site.faster(patient))));
    }
}
