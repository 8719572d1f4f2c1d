package dev.tandem.lab;

import dev.tandem.load.Call;
import dev.tandem.load.Check;
import dev.tandem.load.Client;
import dev.tandem.load.Http2;
import dev.tandem.load.Repeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The load generator driven to its end, as figure 3 of Aaqib and Sharma (2012), next to httperf at
/// the same rates, and in closed loops next to wrk and h2load. All load one server, Tandem.
/// Confined to one thread.
final class GeneratorExperiment implements Repetitions.Runner {
    /// Contenders of the open loop.
    static final String OURS = "tandem load";

    static final String HTTPERF = HttperfProgram.NAME;

    /// Contenders of the closed loops.
    static final String OURS_HTTP1 = "tandem load, HTTP/1.1";

    static final String WRK_HTTP1 = "wrk, HTTP/1.1";
    static final String H2LOAD_HTTP1 = "h2load, HTTP/1.1";
    static final String OURS_HTTP2 = "tandem load, HTTP/2";
    static final String H2LOAD_HTTP2 = "h2load, HTTP/2";

    /// The swept parameter: how many are requested.
    static final String RATE = "connections/s";

    private static final Setting RATES =
            new Setting(
                    "rates",
                    "LIST",
                    "2000,4000,8000,16000,24000,32000,48000,64000",
                    "4000,16000,64000",
                    "new connections/s of the open loop");
    private static final Setting CALLS =
            new Setting("calls", "N", "1", "requests on each connection of the open loop");
    private static final Setting COMPUTE =
            new Setting(
                    "compute",
                    "US",
                    "20",
                    "microseconds that the server computes for a request of a closed loop");
    private static final Setting RAMP =
            new Setting("ramp", "S", "2", "0.5", "uncounted time at its beginning");

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int QUICK_SECONDS = 110;
    private static final int FULL_SECONDS = 1_600;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "generator",
                    "drives the load generator to its end, next to httperf, wrk and h2load",
                    List.of("Connections, requests and replies by requested rate; closed loops."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            RATES,
                                            CALLS,
                                            COMPUTE,
                                            Sweep.REPETITIONS,
                                            Sweep.SECS,
                                            RAMP,
                                            Sweep.WARM)),
                            List.of(
                                    Need.descriptors(4_096),
                                    Need.peer(HttperfProgram.NAME, HttperfProgram.WAY_OUT),
                                    Need.peer("wrk", Wrk.WAY_OUT),
                                    Need.peer("h2load", H2load.WAY_OUT)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(GeneratorExperiment::run));

    private final Run run;
    private final Lineup lineup;
    private final Pinning pinning;
    private final AppliedLoad open;
    private final int calls;
    private final Trial closed;
    private final double warmSeconds;
    private final Set<String> warmed = new HashSet<>();

    private GeneratorExperiment(Run run, Bench bench) {
        this.run = run;
        this.lineup = bench.lineup();
        this.pinning = bench.pinning();
        this.calls = run.settings().number(CALLS, 1, 1_000);
        this.closed =
                new Trial(
                        "closed",
                        "64 kept connections, the server computes",
                        "/cpu?us=" + run.settings().number(COMPUTE, 1, 100_000),
                        Trial.HELLO.connections(),
                        false,
                        Trial.ANY,
                        false);
        this.warmSeconds = run.settings().decimal(Sweep.WARM, 0, 120);
        var timing =
                new AppliedLoad.Timing(
                        run.settings().decimal(RAMP, 0, 120),
                        run.settings().decimal(Sweep.SECS, 1, 600));
        Call hello = Call.get(Trial.HELLO.path()).withCheck(Check.length(Trial.HELLO.length()));
        var workload = Repeat.sessions(hello, calls, Duration.ZERO);
        var clients = new LoadClients(workload, calls, Client.DEFAULT, PATIENCE);
        this.open = new AppliedLoad(clients, timing, run.seed());
    }

    static void run(Run run) throws LabException, InterruptedException {
        try (Bench bench = Bench.open(run, Processors.pinning(run, 1))) {
            bench.lineup()
                    .add(
                            Contender.TANDEM,
                            new Lineup.Entry(
                                    OwnRival.TANDEM,
                                    bench.workFolder().root(),
                                    bench.pinning().serverList(),
                                    RivalSettings.DEFAULT));
            new GeneratorExperiment(run, bench).measureAll();
        }
    }

    private void measureAll() throws LabException, InterruptedException {
        var scenarios = new ArrayList<Scenario>();
        boolean hasHttperf = isHere(HTTPERF, HttperfProgram.WAY_OUT);
        for (double rate : run.settings().decimals(RATES, 1, 1_000_000)) {
            scenarios.add(Scenario.of(OURS, RATE, rate));
            if (hasHttperf) {
                scenarios.add(Scenario.of(HTTPERF, RATE, rate));
            }
        }
        scenarios.addAll(closed());
        Sweep sweep = Sweep.of(run, lineup, open);
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        new Repetitions(run, scenarios, sweep.plan(run, scenarios.size(), box))
                .measure(
                        this,
                        samples ->
                                GeneratorFindings.of(samples)
                                        .data("measurements", samples.asList()));
    }

    private List<Scenario> closed() {
        var names = new ArrayList<String>();
        names.add(OURS_HTTP1);
        if (isHere("wrk", Wrk.WAY_OUT)) {
            names.add(WRK_HTTP1);
        }
        boolean hasH2load = isHere("h2load", H2load.WAY_OUT);
        if (hasH2load) {
            names.add(H2LOAD_HTTP1);
        }
        names.add(OURS_HTTP2);
        if (hasH2load) {
            names.add(H2LOAD_HTTP2);
        }
        return names.stream().map(Scenario::of).toList();
    }

    /// Whether a program is installed; a gap if it is not.
    private boolean isHere(String program, String wayOut) {
        boolean isHere = run.environment().tools().find(program) != null;
        if (!isHere) {
            run.gap("needs " + program + ": " + wayOut);
        }
        return isHere;
    }

    /// Warms the server and this generator together, once for each kind of load: in closed loops,
    /// which overload neither. The programs compile nothing.
    @Override
    public void warm(Scenario scenario) throws LabException, InterruptedException {
        String name = scenario.contender();
        boolean isOurs = List.of(OURS, OURS_HTTP1, OURS_HTTP2).contains(name);
        if (isOurs && warmSeconds > 0 && warmed.add(name)) {
            AppliedLoad load = open.timing(new AppliedLoad.Timing(0, warmSeconds));
            if (name.equals(OURS)) {
                load.closed().measure(lineup.running(Contender.TANDEM), closed.connections());
            } else {
                ours(scenario, load);
            }
        }
    }

    @Override
    public Reading measure(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        Toolbox tools = run.environment().tools();
        RunningRival server = lineup.running(Contender.TANDEM);
        int seconds = (int) Math.max(1, Math.round(open.timing().seconds()));
        return switch (scenario.contender()) {
            case HTTPERF -> {
                var plan =
                        new HttperfProgram.Plan(
                                scenario.at(RATE), seconds, calls, PATIENCE.toSeconds());
                yield by(
                        server,
                        () ->
                                HttperfProgram.of(tools, pinning)
                                        .load(server.port(), Trial.HELLO.path(), plan));
            }
            case WRK_HTTP1 ->
                    by(
                            server,
                            () -> {
                                Wrk.Load load =
                                        Wrk.of(tools, pinning).load(server.port(), closed, seconds);
                                return figures(load.rate(), load.errors(), seconds);
                            });
            case H2LOAD_HTTP1 -> byH2load(server, false, seconds);
            case H2LOAD_HTTP2 -> byH2load(server, true, seconds);
            default -> ours(scenario, open.withSeed(open.seed() + repetition));
        };
    }

    private Reading byH2load(RunningRival server, boolean isHttp2, int seconds)
            throws LabException, InterruptedException {
        String url = server.plain().address() + closed.path();
        return by(
                server,
                () -> {
                    H2load.Load load =
                            H2load.of(run.environment().tools(), pinning)
                                    .load(url, closed.connections(), isHttp2, seconds);
                    return figures(load.rate(), load.errors(), seconds);
                });
    }

    private static Map<String, Double> figures(double rate, long errors, int seconds) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(AppliedLoad.REPLIES, rate);
        figures.put(AppliedLoad.FAILED, (double) errors / seconds);
        return figures;
    }

    /// Loads with this generator. That it is at its end is what is measured, and no disturbance.
    private Reading ours(Scenario scenario, AppliedLoad load)
            throws LabException, InterruptedException {
        RunningRival server = lineup.running(Contender.TANDEM);
        Reading reading =
                switch (scenario.contender()) {
                    case OURS_HTTP1 -> closed(server, load, Client.DEFAULT);
                    case OURS_HTTP2 ->
                            closed(
                                    server,
                                    load,
                                    Client.DEFAULT
                                            .withVersion(Client.Version.HTTP_2)
                                            .withHttp2(new Http2(1, false, 0)));
                    default -> load.measure(server, scenario.at(RATE));
                };
        return Reading.of(reading.figures());
    }

    private Reading closed(RunningRival server, AppliedLoad load, Client client)
            throws LabException, InterruptedException {
        var clients = load.clients().with(Repeat.endless(Call.get(closed.path()))).with(client);
        return load.with(clients).closed().measure(server, closed.connections());
    }

    /// Runs another generator.
    @FunctionalInterface
    private interface Program {
        /// @return its figures
        Map<String, Double> load() throws LabException, InterruptedException;
    }

    /// Adds the processor time of the server, and that of the program.
    private static Reading by(RunningRival server, Program program)
            throws LabException, InterruptedException {
        long from = System.nanoTime();
        double before = server.cpuSeconds();
        long own = Kernel.ownCpuTicks();
        Map<String, Double> figures = program.load();
        double wall = (System.nanoTime() - from) / 1e9;
        double used = (Kernel.ownCpuTicks() - own) / Kernel.TICKS_PER_SECOND;
        figures.put(AppliedLoad.SERVER, (server.cpuSeconds() - before) / wall);
        figures.put(AppliedLoad.GENERATOR, used / wall);
        server.needsLife();
        return Reading.of(figures);
    }
}
