package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The load exceeds the capacity: an open loop at multiples of it, on a route that waits and on one
/// that computes.
final class OverloadExperiment {
    static final String TIMES = "times capacity";
    private static final String BLOCK = "block";
    private static final String CPU = "cpu";

    private static final double GOODPUT_GOAL = 0.95;
    private static final double P99_GOAL = 500;

    private static final Setting ROUTES =
            new Setting("routes", "NAMES", BLOCK + "," + CPU, "routes");
    private static final Setting LOADS =
            new Setting(
                    "times",
                    "LIST",
                    "0.5,0.9,1,1.5,2,3,4",
                    "0.5,1,2,4",
                    "load, as multiples of the capacity");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "2", "1", "repetitions");
    private static final Setting THREADS =
            new Setting(
                    "threads", "N", "8", "maximum concurrent requests; virtual threads ignore it");

    private static final int QUICK_SECONDS = 175;
    private static final int FULL_SECONDS = 2_700;
    private static final double RAMP = 1.5;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "overload",
                    "open loop at up to four times the capacity, compared with peers",
                    List.of(
                            "Goodput: responses within 10 s. Routes: block (waits 5 ms), cpu"
                                    + " (computes",
                            "2 ms). Peers: tandem lab rivals --install yes."),
                    new Experiment.Terms(
                            List.of(
                                    ROUTES,
                                    LOADS,
                                    REPETITIONS,
                                    THREADS,
                                    AdmissionServers.SECS,
                                    AdmissionServers.WARM,
                                    AdmissionServers.AGAINST,
                                    AdmissionServers.HTTP2),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OverloadExperiment::run);

    private final List<String> routes;
    private final List<String> names;
    private final Map<String, Double> capacities;

    private OverloadExperiment(
            List<String> routes, List<String> names, Map<String, Double> capacities) {
        this.routes = routes;
        this.names = names;
        this.capacities = capacities;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        List<String> routes = settings.words(ROUTES, List.of(BLOCK, CPU));
        List<Double> times = settings.decimals(LOADS, 0.1, 20);
        double seconds = settings.decimal(AdmissionServers.SECS, 1, 600);
        double warm = settings.decimal(AdmissionServers.WARM, 0, 600);
        int repetitions = settings.number(REPETITIONS, 1, 99);
        try (var stage = AdmissionServers.set(run, settings.number(THREADS, 1, 16_384), true)) {
            stage.addHttp2();
            var capacities = new LinkedHashMap<String, Double>();
            for (String route : routes) {
                AdmissionLoad load = AdmissionLoad.once(target(route));
                for (String name : stage.names()) {
                    stage.warm(name, load, warm);
                }
                capacities.put(route, stage.capacity(AdmissionServers.TANDEM, load));
                rejectSome(stage, load, Collections.max(times) * capacities.get(route), warm);
            }
            var experiment = new OverloadExperiment(routes, stage.names(), capacities);
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            var plan = new Repetitions.Plan(repetitions, 0, RAMP + seconds, box);
            var timing = new AdmissionLoad.Timing(RAMP, seconds);
            new Repetitions(run, experiment.scenarios(times), plan)
                    .measure(
                            (scenario, repetition) ->
                                    experiment.measureOnce(stage, scenario, timing, run.seed()),
                            samples -> experiment.findings(samples).notes(stage.notes()));
        }
    }

    /// Only overload runs the code that rejects: without this it would be compiled during the
    /// measurements of what rejecting costs.
    private static void rejectSome(
            AdmissionServers stage, AdmissionLoad load, double rate, double seconds)
            throws LabException, InterruptedException {
        if (seconds <= 0) {
            return; // without end, to the generator
        }
        var timing = new AdmissionLoad.Timing(0, seconds);
        for (String name : List.of(AdmissionServers.TANDEM, AdmissionServers.TANDEM_HTTP2)) {
            if (stage.names().contains(name)) {
                AdmissionServers.of(name, load).open(stage.server(name), rate, timing, 1);
                stage.calm(name);
            }
        }
    }

    private static String target(String route) {
        return route.equals(CPU) ? "/cpu?us=2000" : "/block?ms=5";
    }

    /// The contender of a scenario has the route's name in its own.
    private static String on(String name, String route) {
        return name + ", " + route;
    }

    private List<Scenario> scenarios(List<Double> times) {
        var scenarios = new ArrayList<Scenario>();
        for (String route : routes) {
            for (double factor : times) {
                for (String name : names) {
                    scenarios.add(Scenario.of(on(name, route), TIMES, factor));
                }
            }
        }
        return scenarios;
    }

    private Reading measureOnce(
            AdmissionServers stage, Scenario scenario, AdmissionLoad.Timing timing, long seed)
            throws LabException, InterruptedException {
        String[] words = scenario.contender().split(", ");
        double rate = scenario.at(TIMES) * capacities.getOrDefault(words[1], Double.NaN);
        RunningRival server = stage.server(words[0]);
        AdmissionLoad load = AdmissionServers.of(words[0], AdmissionLoad.once(target(words[1])));
        Reading reading = load.open(server, rate, timing, seed).reading();
        stage.calm(
                words[0]); // at its capacity, too, it may have a queue that the next would pay for
        return reading;
    }

    Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "Overload",
                        "What do clients get if the load exceeds the capacity? Each sends one"
                            + " request, on a connection of its own, independently of the others.");
        for (String route : routes) {
            findings.headline(headlines(samples, route));
            findings.chart(chart(samples, route, "Goodput", AdmissionLoad.GOODPUT));
            findings.chart(chart(samples, route, "Slowest hundredth", AdmissionLoad.P99));
        }
        return findings.table(
                        "All figures",
                        samples.table(
                                AdmissionLoad.GOODPUT,
                                AdmissionLoad.P50,
                                AdmissionLoad.P99,
                                AdmissionLoad.REJECTED,
                                AdmissionLoad.REFUSED,
                                AdmissionLoad.TIME_OUTS,
                                AdmissionLoad.FAILED,
                                AdmissionLoad.SERVER,
                                AdmissionLoad.GENERATOR,
                                AdmissionLoad.CONNECTIONS))
                .note("Response times are those of responses with status 200 alone.")
                .note(
                        "Ours had seconds of the highest load before, so that its rejections are"
                                + " compiled; the others reject no request, and had not.")
                .note(
                        "A queue delays its responses: measurements that are shorter than clients'"
                                + " patience of 10 s do not show which responses are too late.")
                .data("capacities", capacities)
                .data("measurements", samples.asList());
    }

    private List<Headline> headlines(Samples samples, String route) {
        var headline = new ArrayList<>(headline(samples, AdmissionServers.TANDEM, route));
        if (names.contains(AdmissionServers.TANDEM_HTTP2)) {
            headline.addAll(headline(samples, AdmissionServers.TANDEM_HTTP2, route));
        }
        return headline;
    }

    private List<Headline> headline(Samples samples, String name, String route) {
        String ours = on(name, route);
        List<Double> times = samples.values(ours, TIMES);
        double most = times.isEmpty() ? Double.NaN : times.getLast();
        Scenario last = Scenario.of(ours, TIMES, most);
        double peak =
                times.stream()
                        .mapToDouble(
                                t ->
                                        samples.median(
                                                Scenario.of(ours, TIMES, t), AdmissionLoad.GOODPUT))
                        .max()
                        .orElse(Double.NaN);
        double below =
                times.stream()
                        .filter(t -> t < 1)
                        .mapToDouble(
                                t ->
                                        samples.median(
                                                Scenario.of(ours, TIMES, t),
                                                AdmissionLoad.REJECTED))
                        .max()
                        .orElse(Double.NaN);
        String by = name.equals(AdmissionServers.TANDEM) ? "" : ", HTTP/2";
        String at = " at " + Figures.show(most, 1) + " times capacity, " + route + by;
        return List.of(
                new Headline(
                        "goodput, of the peak," + at,
                        samples.median(last, AdmissionLoad.GOODPUT) / peak,
                        "",
                        Goal.atLeast(GOODPUT_GOAL)),
                new Headline(
                        "p99 of admitted" + at,
                        samples.median(last, AdmissionLoad.P99),
                        "ms",
                        Goal.atMost(P99_GOAL)),
                new Headline(
                        "time-outs" + at,
                        samples.median(last, AdmissionLoad.TIME_OUTS),
                        "1/s",
                        Goal.atMost(0)),
                new Headline(
                        "rejected below capacity, " + route + by, below, "1/s", Goal.atMost(0)));
    }

    private Lines chart(Samples samples, String route, String title, String figure) {
        boolean isTime = figure.equals(AdmissionLoad.P99);
        return Lines.of(
                new Caption(
                        title + ", " + route,
                        isTime
                                ? "Of responses with status 200; lower is better."
                                : "Responses with status 200 within 10 s; higher is better."),
                Axis.linear("offered", TIMES),
                isTime ? Axis.log("response time", "ms") : Axis.linear("goodput", "responses/s"),
                names.stream().map(name -> samples.line(on(name, route), TIMES, figure)).toList());
    }
}
