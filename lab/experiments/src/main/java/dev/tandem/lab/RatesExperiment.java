package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Repeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Request rates compared with Apache's httpd and event-driven servers, static files and CGI, as
/// figures 4 and 5 of Aaqib and Sharma (2012).
final class RatesExperiment {
    private static final String TANDEM = "tandem";
    private static final String WORKER = "httpd-worker";
    private static final String LIGHTTPD = "lighttpd";
    private static final String CGI = ", CGI";

    /// The swept parameter.
    static final String RATE = "requests/s";

    private static final List<String> KNOWN =
            List.of(TANDEM, WORKER, "httpd-event", "event-driven", LIGHTTPD, JavaRival.BLOCKING);

    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,httpd-worker,event-driven,lighttpd,tomcat-blocking",
                    "tandem,httpd-worker,lighttpd,tomcat-blocking",
                    "contenders, where they are installed");
    private static final Setting SHARES =
            new Setting(
                    "shares",
                    "LIST",
                    "0.3,0.6,0.8,1,1.2,1.4",
                    "0.5,0.9,1.3",
                    "rates, as shares of what saturates httpd (files), Tandem (CGI)");
    private static final Setting FILE =
            new Setting("file", "NAME", "1k", "the static file: 1k, 100k or 1m");
    private static final Setting CALLS =
            new Setting("calls", "N", "10", "requests for the file on each connection");
    private static final Setting SCRIPT =
            new Setting("script", "LANGUAGE", "perl", "what the CGI program is in: perl or sh");
    private static final Setting THREADS =
            new Setting("threads", "N", "256", "concurrent requests, of each server");
    private static final Setting SATURATION_FILES =
            new Setting("saturation", "R", "0", "requests/s that saturate httpd; 0 measures them");
    private static final Setting SATURATION_CGI =
            new Setting("saturation-cgi", "R", "0", "CGI requests/s that saturate Tandem");
    private static final Setting SECS =
            new Setting("secs", "S", "20", "2", "counted time of a measurement");
    private static final Setting RAMP =
            new Setting("ramp", "S", "2", "0.5", "uncounted time at its beginning");

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// Both respond to everything below saturation: then a hundredth is chance.
    private static final double GOAL = 0.99;

    private static final int QUICK_SECONDS = 175;
    private static final int FULL_SECONDS = 3_500;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "rates",
                    "compares with httpd and lighttpd by request rates: static files, and CGI",
                    List.of("Rates are shares of what saturates httpd's worker MPM."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            CONTENDERS,
                                            SHARES,
                                            FILE,
                                            CALLS,
                                            SCRIPT,
                                            THREADS,
                                            SATURATION_FILES,
                                            SATURATION_CGI,
                                            Sweep.REPETITIONS,
                                            SECS,
                                            RAMP,
                                            Sweep.WARM)),
                            List.of(
                                    Need.descriptors(4_096),
                                    Need.peer("apache2", "apt-get install apache2"),
                                    Need.peer("lighttpd", "apt-get install lighttpd")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(RatesExperiment::run));

    private final Run run;
    private final Lineup lineup;
    private final List<String> files = new ArrayList<>();
    private final List<String> programs = new ArrayList<>();
    private final Map<String, Double> saturations = new LinkedHashMap<>();

    private RatesExperiment(Run run, Lineup lineup) {
        this.run = run;
        this.lineup = lineup;
    }

    static void run(Run run) throws LabException, InterruptedException {
        String script = run.settings().words(SCRIPT, List.of("perl", "sh")).getFirst();
        try (Bench bench = Bench.open(run, Processors.pinning(run, 1))) {
            var experiment = new RatesExperiment(run, bench.lineup());
            boolean hasCgi = CgiProgram.canBeRun(run.environment());
            if (hasCgi) {
                CgiProgram.write(bench.workFolder().root(), script, run.environment().tools());
            }
            experiment.fill(bench.workFolder(), bench.pinning(), hasCgi);
            experiment.measure();
        }
    }

    /// Adds the installed servers; the reason why another is missing is a gap.
    private void fill(WorkFolder workFolder, Pinning pinning, boolean hasCgi)
            throws LabException, InterruptedException {
        int threads = run.settings().number(THREADS, 1, 16_384);
        var settings = RivalSettings.DEFAULT.withThreads(threads);
        var missing = new ArrayList<String>();
        List<String> names = run.settings().words(CONTENDERS, KNOWN);
        for (Rival rival : Rivals.here(names, run.environment().tools(), missing)) {
            boolean isCgi = rival.hasCgi() || rival.name().equals(TANDEM);
            var entry = new Lineup.Entry(rival, workFolder.root(), pinning.serverList(), settings);
            lineup.add(rival.name(), entry);
            files.add(rival.name());
            if (isCgi && hasCgi) {
                lineup.add(rival.name() + CGI, entry);
                programs.add(rival.name() + CGI);
            }
        }
        missing.forEach(run::gap);
        if (!hasCgi) {
            run.gap("CGI: this tandem lab target has no option --cgi");
        }
    }

    private void measure() throws LabException, InterruptedException {
        Settings settings = run.settings();
        String file = settings.words(FILE, List.of("1k", "100k", "1m")).getFirst();
        int calls = settings.number(CALLS, 1, 1_000);
        Sweep ofFiles = sweep("/static/" + file + ".bin", calls);
        Sweep ofPrograms = sweep(CgiProgram.TARGET, 1);
        List<Double> shares = settings.decimals(SHARES, 0.01, 10);
        saturations.put("files", ofFiles.saturation(base(files), SATURATION_FILES));
        var scenarios = new ArrayList<>(ofFiles.scenarios(files, shares));
        if (!programs.isEmpty()) {
            // No process waits for httpd's programs, so the kernel adds their CPU time to no
            // parent.
            saturations.put("CGI", ofPrograms.saturation(TANDEM + CGI, SATURATION_CGI));
            scenarios.addAll(ofPrograms.scenarios(programs, shares));
        }
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        new Repetitions(run, scenarios, ofFiles.plan(run, scenarios.size(), box))
                .measure(new Sweeps(ofFiles).with(CGI, ofPrograms), this::findings);
    }

    /// The server whose saturation counts: httpd, if it is installed.
    private static String base(List<String> names) {
        return names.stream()
                .filter(n -> n.startsWith(WORKER))
                .findFirst()
                .orElse(names.getFirst());
    }

    private Sweep sweep(String target, int calls) {
        var workload = Repeat.sessions(Call.get(target), calls, Duration.ZERO);
        var clients = new LoadClients(workload, calls, Client.DEFAULT, PATIENCE);
        var load = new AppliedLoad(clients, Sweep.timing(run), run.seed());
        return Sweep.of(run, lineup, load, new Sweep.Unit(RATE, calls));
    }

    Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "Static files and CGI, by request rate",
                        "Which server serves the requested rate, and how soon? One"
                                + " processor for the server, one for the load.");
        for (String rival : List.of(WORKER, LIGHTTPD)) {
            if (files.contains(rival)) {
                findings.headline(atLeast(samples, rival, "static files", ""));
                findings.headline(atLeast(samples, rival, "CGI", CGI));
            }
        }
        charts(findings, samples, "static files", files);
        if (!programs.isEmpty()) {
            charts(findings, samples, "CGI", programs);
        }
        return findings.table("All figures", table(samples))
                .note(
                        "Each server serves a file of the same folder; none writes a log of"
                                + " requests.")
                .note("The CPU of httpd's CGI programs is not counted: no process waits for them.")
                .data("saturations", new LinkedHashMap<>(saturations))
                .data("measurements", samples.asList());
    }

    /// The rate at which Tandem's lead is smallest.
    static Headline atLeast(Samples samples, String rival, String what, String suffix) {
        double least = Double.NaN;
        for (double rate : samples.values(rival + suffix, RATE)) {
            double share =
                    samples.median(Scenario.of(TANDEM + suffix, RATE, rate), AppliedLoad.REPLIES)
                            / samples.median(
                                    Scenario.of(rival + suffix, RATE, rate), AppliedLoad.REPLIES);
            least = Double.isNaN(least) ? share : Math.min(least, share);
        }
        return new Headline(
                "replies to " + what + ", share of " + rival + "'s, at the worst rate",
                least,
                "",
                Goal.atLeast(GOAL));
    }

    private static void charts(
            Findings findings, Samples samples, String what, List<String> names) {
        findings.chart(
                chart(
                        samples,
                        new Caption(
                                "Replies, " + what,
                                "The requested rate would be a diagonal; a server that bends off is"
                                        + " saturated."),
                        Axis.linear("replies", "replies/s"),
                        new Line(AppliedLoad.REPLIES, names)));
        findings.chart(
                chart(
                        samples,
                        new Caption(
                                "Response time, " + what,
                                "From a request to the end of its reply, mean over the replies"
                                        + " came; lower is better."),
                        Axis.log("response time", "ms"),
                        new Line(AppliedLoad.RESPONSE, names)));
    }

    private record Line(String figure, List<String> names) {}

    private static Chart chart(Samples samples, Caption caption, Axis axis, Line line) {
        return Lines.of(
                caption,
                Axis.linear("request rate", "requests/s"),
                axis,
                line.names.stream().map(n -> samples.line(n, RATE, line.figure)).toList());
    }

    private static Table table(Samples samples) {
        return samples.table(
                AppliedLoad.REPLIES,
                AppliedLoad.RESPONSE,
                AppliedLoad.RESPONSE_P99,
                AppliedLoad.FAILED,
                AppliedLoad.SERVER,
                AppliedLoad.GENERATOR,
                AppliedLoad.CONNECTIONS);
    }
}
