package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Static files under Surge: throughput, response time and connections closed by time-out over new
/// sessions per second, as figures 1 to 3 of Carrera et al., ICPADS 2005.
final class StaticExperiment {
    static final String TANDEM = "tandem";
    static final String THREADED = "multi-threaded";
    private static final String FIXED = "fixed";
    private static final String EVENTS = "event-driven";
    private static final List<String> KNOWN =
            List.of(
                    TANDEM,
                    THREADED,
                    FIXED,
                    EVENTS,
                    JavaRival.BLOCKING,
                    "tomcat",
                    "tomcat-virtual",
                    "jetty",
                    "jetty-virtual",
                    "undertow",
                    "helidon");

    /// The order of legends, whichever contender began the first repetition.
    private static final Comparator<String> ORDER = Comparator.comparingInt(KNOWN::indexOf);
    /// Load of the headline: twice what saturates Tandem.
    private static final double TWICE = 2;

    private static final double RESPONSE_GOAL = 0.5;

    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    "tandem,multi-threaded,fixed,event-driven,tomcat-blocking",
                    "tandem,multi-threaded,event-driven,tomcat-blocking",
                    "also tomcat, jetty (and -virtual), undertow, helidon; fixed: no Coyote's"
                            + " rule");
    private static final Setting SHARES =
            new Setting(
                    "shares",
                    "LIST",
                    "0.25,0.5,0.75,1,1.25,1.5,2",
                    "0.5,1,1.5,2",
                    "rates, as shares of what saturates Tandem");
    private static final Setting WORKERS =
            new Setting("workers", "N", "50", "Tandem's threads for requests");
    private static final Setting THREADS =
            new Setting("threads", "N", "500", "the multi-threaded rival's, one a connection");

    private static final int QUICK_SECONDS = 160;
    private static final int FULL_SECONDS = 2_700;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "static",
                    "compares architectures on static files (Surge), up to twice saturation",
                    List.of("Throughput, response time and closed connections by new sessions/s."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            CONTENDERS,
                                            SHARES,
                                            Processors.PART,
                                            WORKERS,
                                            THREADS,
                                            SurgeSite.KEEP_ALIVE,
                                            SurgeSite.PACE,
                                            SurgeSite.FILES,
                                            SurgeSite.PATIENCE,
                                            Sweep.SATURATION,
                                            Sweep.REPETITIONS,
                                            Sweep.SECS,
                                            Sweep.RAMP,
                                            Sweep.WARM)),
                            List.of(Need.descriptors(4_096)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(StaticExperiment::run));

    private final double saturation;
    private final double part;
    private final SurgeSite site;

    /// @param part of its processor that the measured server has
    StaticExperiment(double saturation, double part, SurgeSite site) {
        this.saturation = saturation;
        this.part = part;
        this.site = site;
    }

    static void run(Run run) throws LabException, InterruptedException {
        List<Double> shares = run.settings().decimals(SHARES, 0.01, 10);
        try (ProcessorGroup group = Processors.group(run, "static");
                Bench bench = Bench.open(run, Processors.pinning(run, 1))) {
            SurgeSite site = SurgeSite.make(run, bench.workFolder());
            Lineup lineup = bench.lineup();
            fill(lineup, run, site, bench.pinning());
            if (!lineup.names().contains(TANDEM)) {
                throw new LabException(
                        "needs the contender tandem: rates are shares of what saturates it");
            }
            Sweep sweep = Sweep.of(run, lineup, site.play(run, Sweep.timing(run)));
            double part = Processors.part(run);
            double saturation = sweep.saturation(TANDEM, part);
            var experiment = new StaticExperiment(saturation, part, site);
            List<Scenario> scenarios = sweep.scenarios(lineup.names(), shares);
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            new Repetitions(run, scenarios, sweep.plan(run, scenarios.size(), box))
                    .measure(new Limited(sweep, lineup, group), experiment::findings);
        }
    }

    /// Limits a server to its part of the processor when it is warm.
    ///
    /// @param group null if it has all of it
    private record Limited(Sweep sweep, Lineup lineup, @Nullable ProcessorGroup group)
            implements Repetitions.Runner {
        @Override
        public void warm(Scenario scenario) throws LabException, InterruptedException {
            sweep.warm(scenario);
        }

        @Override
        public Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException {
            if (group != null) {
                group.add(lineup.running(scenario.contender()).pid());
            }
            return sweep.measure(scenario, repetition);
        }
    }

    private static void fill(Lineup lineup, Run run, SurgeSite site, Pinning pinning)
            throws LabException, InterruptedException {
        Settings settings = run.settings();
        double keepAlive = settings.decimal(SurgeSite.KEEP_ALIVE, 0.01, 3_600);
        int threads = settings.number(THREADS, 1, 16_384);
        int workers = settings.number(WORKERS, 1, 16_384);
        var missing = new ArrayList<String>();
        for (String name : settings.words(CONTENDERS, KNOWN)) {
            String called = name.equals(FIXED) ? THREADED : name;
            for (Rival rival : Rivals.here(List.of(called), run.environment().tools(), missing)) {
                RivalSettings its =
                        RivalSettings.DEFAULT
                                .withThreads(threads(called, threads, workers))
                                .withKeepAlive(site.faster(keepAlive))
                                .withShortened(name.equals(THREADED));
                lineup.add(name, new Lineup.Entry(rival, site.root(), pinning.serverList(), its));
            }
        }
        missing.forEach(run::gap);
    }

    /// How many threads a server has. Servers of today hold none for an idle connection: theirs are
    /// for requests, as many as usual.
    static int threads(String rival, int perConnection, int workers) {
        return switch (rival) {
            case THREADED, JavaRival.BLOCKING -> perConnection;
            case TANDEM -> workers;
            default -> RivalSettings.DEFAULT.threads();
        };
    }

    Findings findings(Samples samples) {
        Findings findings =
                new Findings(
                        "Static files, by new sessions per second",
                        "What is the throughput of the architectures as the load exceeds"
                                + " their capacity? All serve the same files on one processor;"
                                + " Tandem, multi-threaded, fixed and event-driven by the same"
                                + " code, so that only their threading differs.");
        findings.headline(headline(samples))
                .verdict(
                        new Winner(samples, AppliedLoad.REPLIES)
                                .sentence(
                                        contenders(samples),
                                        Sweep.RATE,
                                        judged(samples),
                                        "at " + times(judged(samples))))
                .doubt(
                        SaturationCheck.doubt(
                                samples, TANDEM, Sweep.RATE, saturation, AppliedLoad.REPLIES))
                .chart(
                        chart(
                                samples,
                                "Throughput",
                                "Complete replies, of any client; higher is better.",
                                Axis.linear("throughput", "replies/s"),
                                AppliedLoad.REPLIES))
                .chart(
                        chart(
                                samples,
                                "Response time",
                                "From a request to the end of its reply, mean over the replies"
                                        + " came; lower is better.",
                                Axis.linear("response time", "ms"),
                                AppliedLoad.RESPONSE))
                .chart(
                        chart(
                                samples,
                                "Connections closed by time-out",
                                "Closed by the server during a client's think time: each costs"
                                        + " a new connection. Lower is better.",
                                Axis.linear("connections closed", "1/s"),
                                AppliedLoad.CLOSED));
        return connections(samples, findings)
                .chart(
                        chart(
                                samples,
                                "Completed sessions",
                                "Sessions with all their replies; higher is better.",
                                Axis.linear("completed", "sessions/s"),
                                AppliedLoad.SESSIONS))
                .table("All figures", table(samples))
                .note(
                        "The multi-threaded rival shortens its time-out as threads run out, by the"
                                + " rule of Tomcat's Coyote of old; fixed is the same without it."
                                + " tomcat-blocking is Tomcat 8.0 with its blocking connector. All"
                                + " others that have a time-out have the same one; servers of today"
                                + " have 200 threads, and hold none while a connection is idle.")
                .note(
                        "The headline is read at twice saturation, or at the highest rate below"
                                + " that the generator could sustain.")
                .note(
                        "The measured server has "
                                + Figures.show(part, 2)
                                + " of its processor; with all of it, twice its saturation may be"
                                + " more than the generator can send.")
                .note(site.note())
                .note(GeneratorLimit.note(samples))
                .data("saturation", saturation)
                .data("measurements", samples.asList());
    }

    /// Adds what clients see of connections.
    private static Findings connections(Samples samples, Findings findings) {
        return findings.chart(
                        chart(
                                samples,
                                "Time-outs of clients",
                                "Requests that clients gave up; lower is better.",
                                Axis.linear("time-outs", "1/s"),
                                AppliedLoad.TIME_OUTS))
                .chart(
                        chart(
                                samples,
                                "Resets",
                                "Connections that the server reset; lower is better.",
                                Axis.linear("resets", "1/s"),
                                AppliedLoad.RESETS))
                .chart(
                        chart(
                                samples,
                                "Connection time",
                                "Until a connection is established, mean; lower is better.",
                                Axis.linear("connection time", "ms"),
                                AppliedLoad.CONNECT));
    }

    /// At twice saturation; or, where the generator was saturated there, at the highest lower rate
    /// at which it was not: above, figures are the generator's and not the server's.
    private double judged(Samples samples) {
        double twice = Sweep.rate(saturation, TWICE);
        List<Double> rates = samples.values(TANDEM, Sweep.RATE);
        return rates.stream()
                .filter(rate -> rate <= twice)
                .filter(rate -> isCarried(samples, Scenario.of(TANDEM, Sweep.RATE, rate)))
                .max(Comparator.naturalOrder())
                .orElse(twice);
    }

    private static boolean isCarried(Samples samples, Scenario scenario) {
        return samples.median(scenario, AppliedLoad.GENERATOR) <= Disturbances.GENERATOR_MAX;
    }

    private String times(double rate) {
        return Figures.show(rate / saturation, 2) + " times saturation";
    }

    List<Headline> headline(Samples samples) {
        double rate = judged(samples);
        String where = times(rate);
        Scenario ours = Scenario.of(TANDEM, Sweep.RATE, rate);
        Scenario rival = Scenario.of(THREADED, Sweep.RATE, rate);
        var lines = new ArrayList<Headline>();
        lines.add(
                new Headline(
                        "connections closed by Tandem at " + where,
                        samples.figures(ours, AppliedLoad.CLOSED).max()
                                + samples.figures(ours, AppliedLoad.CLOSED_BY_SERVER).max(),
                        "1/s",
                        Goal.atMost(0)));
        if (contenders(samples).contains(THREADED)) {
            lines.add(
                    new Headline(
                            "throughput at " + where + ", share of the multi-threaded rival's",
                            samples.median(ours, AppliedLoad.REPLIES)
                                    / samples.median(rival, AppliedLoad.REPLIES),
                            "",
                            Goal.atLeast(1)));
            lines.add(
                    new Headline(
                            "response time at " + where + ", share of the multi-threaded rival's",
                            samples.median(ours, AppliedLoad.RESPONSE)
                                    / samples.median(rival, AppliedLoad.RESPONSE),
                            "",
                            Goal.atMost(RESPONSE_GOAL)));
        }
        lines.add(GeneratorLimit.headline(samples));
        return lines;
    }

    private static List<String> contenders(Samples samples) {
        return samples.scenarios().stream()
                .map(Scenario::contender)
                .distinct()
                .sorted(ORDER)
                .toList();
    }

    private static Chart chart(
            Samples samples, String title, String shows, Axis axis, String figure) {
        return Lines.of(
                new Caption(title, shows),
                Axis.linear("new sessions", "1/s"),
                axis,
                contenders(samples).stream()
                        .map(name -> samples.line(name, Sweep.RATE, figure))
                        .toList());
    }

    private static Table table(Samples samples) {
        return samples.table(
                AppliedLoad.REPLIES,
                AppliedLoad.RESPONSE,
                AppliedLoad.RESPONSE_P99,
                AppliedLoad.CLOSED,
                AppliedLoad.CLOSED_BY_SERVER,
                AppliedLoad.TIME_OUTS,
                AppliedLoad.RESETS,
                AppliedLoad.CONNECT,
                AppliedLoad.FAILED,
                AppliedLoad.SESSIONS,
                AppliedLoad.SERVER,
                AppliedLoad.GENERATOR,
                AppliedLoad.CONNECTIONS);
    }
}
