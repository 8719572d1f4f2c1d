package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Check;
import dev.tandem.load.Client;
import dev.tandem.load.Http2;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Repeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The HTTP/2 form of the comparison of speed: CPU per request over HTTP/2, compared with that over
/// HTTP/1.1 in clear text, and with nginx over TLS. The load is our own generator's, since wrk has
/// no HTTP/2. Confined to one thread.
final class Http2Speed {
    private static final String TANDEM = "tandem";
    private static final String CPU = "CPU µs/request";
    private static final String RATE = "requests/s";
    private static final String P99 = "p99 ms";
    private static final String ERRORS = "errors";
    private static final String SERVER = "server's processors";
    private static final String GENERATOR = "generator's share";

    /// Stands for the names of all trials.
    private static final String EVERY = "all";

    private static final double RAMP_SECONDS = 0.5;

    /// nginx fills its caches, and compiles nothing.
    private static final double NATIVE_WARM_SECONDS = 1;

    private static final int CONNECTIONS = 16;
    private static final int STREAMS = 100;

    /// As many clients at once as over HTTP/1.1 in the other trials.
    private static final int ALONE = 64;

    /// One kind of load.
    ///
    /// @param streams concurrent ones of each connection; 0 for HTTP/1.1
    /// @param length of the content, in bytes
    /// @param baseline the trial that ratios refer to; empty for nginx's figure of the same trial
    /// @param shareMax goal: CPU per request, as a share of the baseline's
    private record Trial(
            String name,
            String path,
            boolean isTls,
            int streams,
            int length,
            String baseline,
            double shareMax) {

        int connections() {
            return streams > 1 ? CONNECTIONS : ALONE;
        }

        Client client() {
            Client client = Client.DEFAULT.withTls(BoringClients.TLS);
            return streams == 0
                    ? client
                    : client.withVersion(Client.Version.HTTP_2)
                            .withHttp2(new Http2(streams, true, 0));
        }
    }

    private static final String BASELINE = "http1";

    private static final List<Trial> TRIALS =
            List.of(
                    new Trial(BASELINE, "/hello", false, 0, 13, BASELINE, Double.NaN),
                    new Trial("h2c", "/hello", false, STREAMS, 13, BASELINE, 0.30),
                    new Trial("h2c-one", "/hello", false, 1, 13, BASELINE, 1.15),
                    new Trial("tls", "/hello", true, STREAMS, 13, "", 1),
                    new Trial("tls-1k", "/static/1k.bin", true, STREAMS, 1_024, "", 0.6),
                    new Trial("tls-100k", "/static/100k.bin", true, 10, 102_400, "", 1));

    /// @param warmSeconds of load on each JVM before each trial
    record Times(int repetitions, double seconds, double warmSeconds) {}

    private final Run run;
    private final Bench bench;
    private final List<Trial> trials;
    private final Times times;

    private Http2Speed(Run run, Bench bench, List<Trial> trials, Times times) {
        this.run = run;
        this.bench = bench;
        this.trials = trials;
        this.times = times;
    }

    static List<String> names() {
        return TRIALS.stream().map(Trial::name).toList();
    }

    /// The valid names of trials, with that of all.
    static List<String> words() {
        var words = new ArrayList<>(names());
        words.add(EVERY);
        return words;
    }

    static void run(Run run, List<String> names, boolean isCompared, Times times)
            throws LabException, InterruptedException {
        List<Trial> trials =
                TRIALS.stream()
                        .filter(t -> names.contains(EVERY) || names.contains(t.name))
                        .toList();
        try (Bench bench = Bench.open(run)) {
            Certificate shown = Certificate.make(bench.workFolder().folder(), Certificate.Kind.EC);
            var settings = RivalSettings.DEFAULT.withCertificate(shown).withHttp2(true);
            var notes = new ArrayList<String>();
            for (Rival rival : rivals(run, isCompared, notes)) {
                bench.lineup()
                        .add(
                                rival.name(),
                                new Lineup.Entry(
                                        rival,
                                        bench.workFolder().root(),
                                        bench.pinning().serverList(),
                                        settings));
            }
            new Http2Speed(run, bench, trials, times).measureAll(notes);
        }
    }

    private static List<Rival> rivals(Run run, boolean isCompared, List<String> notes)
            throws LabException, InterruptedException {
        var rivals = new ArrayList<Rival>();
        rivals.add(OwnRival.TANDEM);
        if (isCompared) {
            var missing = new ArrayList<String>();
            List<String> names = List.of(SpeedResults.REFERENCE);
            rivals.addAll(Rivals.here(names, run.environment().tools(), missing));
            for (String line : missing) {
                notes.add("Not measured: " + line);
                run.say("not measured: " + line);
            }
        }
        return rivals;
    }

    private void measureAll(List<String> notes) throws LabException, InterruptedException {
        var scenarios = new ArrayList<Scenario>();
        for (Trial trial : trials) {
            for (String server : bench.lineup().names()) {
                if (server.equals(TANDEM) || trial.isTls) {
                    scenarios.add(scenario(server, trial));
                }
            }
        }
        var plan =
                new Repetitions.Plan(
                        times.repetitions,
                        times.warmSeconds,
                        RAMP_SECONDS + times.seconds,
                        run.form() == Form.QUICK ? 170 : 420);
        new Repetitions(run, scenarios, plan)
                .measure(
                        new Repetitions.Runner() {
                            @Override
                            public void warm(Scenario scenario)
                                    throws LabException, InterruptedException {
                                warmOnce(scenario);
                            }

                            @Override
                            public Reading measure(Scenario scenario, int repetition)
                                    throws LabException, InterruptedException {
                                return measureOnce(scenario, times.seconds);
                            }
                        },
                        samples -> findings(samples).notes(notes));
    }

    private static Scenario scenario(String server, Trial trial) {
        return Scenario.of(server + ", " + trial.name);
    }

    private void warmOnce(Scenario scenario) throws LabException, InterruptedException {
        boolean isOurs = scenario.contender().startsWith(TANDEM);
        double seconds =
                isOurs ? times.warmSeconds : Math.min(times.warmSeconds, NATIVE_WARM_SECONDS);
        if (seconds > 0) {
            measureOnce(scenario, seconds);
        }
    }

    private Reading measureOnce(Scenario scenario, double seconds)
            throws LabException, InterruptedException {
        String[] words = scenario.contender().split(", ");
        RunningRival server = bench.lineup().running(words[0]);
        Trial trial =
                trials.stream().filter(t -> t.name.equals(words[1])).findFirst().orElseThrow();
        Call call = Call.get(trial.path).withCheck(Check.length(trial.length));
        try (LoadRun load = load(server, trial, seconds).start(Repeat.endless(call))) {
            Thread.sleep(duration(RAMP_SECONDS));
            long from = System.nanoTime();
            double before = server.cpuSeconds();
            LoadReport report = load.await();
            double used = server.cpuSeconds() - before;
            double wall = (System.nanoTime() - from) / 1e9;
            server.needsLife();
            return reading(report, used, wall);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private Load load(RunningRival server, Trial trial, double seconds) {
        String address = trial.isTls ? server.address() : server.plain().address();
        int clients = trial.connections() * Math.max(1, trial.streams);
        return Load.of(address)
                .withArrivals(Arrivals.closed(clients))
                .withTime(duration(RAMP_SECONDS + seconds))
                .withWarmup(duration(RAMP_SECONDS))
                .withClient(trial.client())
                .withSeed(run.seed());
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    private static Reading reading(LoadReport report, double usedSeconds, double wallSeconds)
            throws LabException {
        long replies = report.replies().ofClass(2);
        if (replies == 0) {
            throw new LabException("no response: " + report.errors());
        }
        LoadReport.Generator generator = report.generator();
        double own = generator.userSeconds() + generator.systemSeconds();
        double share = Math.max(generator.busyShare(), Math.min(1, own / report.seconds()));
        var figures = new LinkedHashMap<String, Double>();
        figures.put(CPU, 1e6 * usedSeconds / replies);
        figures.put(RATE, replies / report.seconds());
        figures.put(P99, report.measured().millis(99));
        long errors = report.replies().count() - replies + report.errorCount();
        figures.put(ERRORS, (double) errors);
        figures.put(SERVER, usedSeconds / wallSeconds);
        figures.put(GENERATOR, share);
        return new Reading(figures, share);
    }

    private Findings findings(Samples samples) {
        var headline = new ArrayList<Headline>();
        for (Trial trial : trials) {
            if (!Double.isNaN(trial.shareMax)) {
                headline.add(headline(samples, trial));
            }
        }
        return new Findings(
                        "Speed over HTTP/2",
                        "What does a request over HTTP/2 cost? Each server has one processor and"
                                + " the generator another; they are measured alternately.")
                .headline(headline)
                .chart(
                        Bars.of(
                                new Caption(
                                        "CPU per request",
                                        "Shorter is better: the server's processor time."),
                                samples.scenarios().stream().map(Scenario::contender).toList(),
                                Axis.linear("CPU per request", "µs"),
                                List.of(samples.bars("a request", CPU, samples.scenarios()))))
                .table("All figures", samples.table(CPU, RATE, P99, ERRORS, SERVER, GENERATOR))
                .note(
                        "%d connections with %d streams each at once (10 for files of 100 KiB), %d"
                                        .formatted(CONNECTIONS, STREAMS, ALONE)
                                + " with one request at a time for http1 and h2c-one.")
                .data("measurements", samples.asList());
    }

    private Headline headline(Samples samples, Trial trial) {
        boolean isOwn = !trial.baseline.isEmpty();
        Scenario baseline =
                isOwn
                        ? Scenario.of(TANDEM + ", " + trial.baseline)
                        : scenario(SpeedResults.REFERENCE, trial);
        double share = samples.median(scenario(TANDEM, trial), CPU) / samples.median(baseline, CPU);
        return new Headline(
                trial.name
                        + ": CPU per request, share of "
                        + (isOwn ? "HTTP/1.1's" : "nginx's over HTTP/2"),
                share,
                "",
                Goal.atMost(trial.shareMax));
    }
}
