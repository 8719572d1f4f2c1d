package dev.tandem.lab;

import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Population;
import dev.tandem.lab.shops.BookstoreClients;
import dev.tandem.lab.store.SimulatedDelays;
import dev.tandem.workloads.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The bookstore, served in four ways, with more clients than the usual way can serve: after
/// Courtwright, Yue and Wang, DSN 2009.
final class StagedExperiment {
    /// Mean think time of TPC-W's clients, in seconds.
    private static final double THINK = 7;

    /// Clients without think times: enough to keep all connections busy, and more waiting.
    private static final int SATURATING = 64;

    private static final double NO_THINKING = 1e6;
    private static final String COMPILED = "compiled";
    private static final String INTERPRETED = "interpreted";

    /// Until clients that do not think are past their first pages, which are quick ones.
    private static final double CAPACITY_RAMP = 10;

    private static final double CAPACITY_RAMP_QUICK = 1;
    private static final double CAPACITY_SECONDS = 8;
    private static final double CAPACITY_SECONDS_QUICK = 4;

    private static final Setting TIMES =
            new Setting(
                    "times", "N", "1.6", "load, as a multiple of a thread per request's capacity");
    private static final Setting POOL = new Setting("pool", "N", "10", "connections");
    private static final Setting DISTANCE =
            new Setting("distance", "N", "1000", "round trip of a statement, in microseconds");
    private static final Setting LIST =
            new Setting("list", "N", "35000", "additional microseconds if it reads or sorts much");
    private static final Setting VIEW =
            new Setting("view", "N", "5000", "delay of a view for each KiB, in microseconds");
    private static final Setting DATABASE =
            new Setting(
                    "database",
                    "NAME",
                    "best",
                    "postgresql, mariadb, h2; best: the first installed");
    private static final Setting PROCESSOR =
            new Setting(
                    "database-processor",
                    "load|server",
                    "load",
                    "whose processor the database has");
    private static final Setting ITEMS = new Setting("items", "N", "1000", "books of the store");
    private static final Setting CUSTOMERS =
            new Setting("customers", "N", "2880", "of the store; TPC-W has 2,880 for each browser");
    private static final Setting TEMPLATES =
            new Setting(
                    "templates",
                    "KIND",
                    COMPILED,
                    "compiled (JTE), or interpreted (FreeMarker) as the paper's");
    private static final Setting PACE =
            new Setting("pace", "N", "1", "how many times faster clients think");
    private static final Setting PICTURES =
            new Setting("pictures", "yes|no", "no", "whether they fetch pages' pictures");
    private static final Setting WAYS =
            new Setting(
                    "ways",
                    "LIST",
                    "thread-per-request,virtual-threads,five-pools,tandem",
                    "the compared ones; the first is always included");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "repetitions");
    private static final Setting SECS =
            new Setting("secs", "SECS", "60", "12", "counted time of each measurement");
    private static final Setting RAMP =
            new Setting("ramp", "SECS", "60", "16", "uncounted time before it");
    private static final Setting WARM =
            new Setting("warm", "SECS", "10", "8", "load on each server before it is measured");

    private static final int QUICK_SECONDS = 175;
    private static final int FULL_SECONDS = 1_650;

    /// For longer measurements, by options: no repetition begins that would end later.
    private static final int SECONDS_MAX = 3_500;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "staged",
                    "data, then view: a shop with a saturated database",
                    List.of(
                            "TPC-W's bookstore with browsing clients, on a database in a process",
                            "of its own: a thread for each request, virtual threads, the five",
                            "pools of DSN 2009, and ours; as many connections each."),
                    new Experiment.Terms(
                            List.of(
                                    TIMES,
                                    WAYS,
                                    POOL,
                                    DISTANCE,
                                    LIST,
                                    VIEW,
                                    DATABASE,
                                    PROCESSOR,
                                    ITEMS,
                                    CUSTOMERS,
                                    TEMPLATES,
                                    PACE,
                                    PICTURES,
                                    REPETITIONS,
                                    SECS,
                                    RAMP,
                                    WARM),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    StagedExperiment::run);

    private final Run run;
    private final Lineup lineup;
    private final StoreLoad load;
    private final StoreDatabase database;
    private final Lasting timing;

    /// Where Tandem explains its decisions.
    private final int managePort;

    private final StagedFindings findings = new StagedFindings();

    /// Concurrent clients.
    private int clients;

    private record Lasting(double pace, double ramp, double seconds, double warm) {}

    private StagedExperiment(
            Run run,
            Lineup lineup,
            StoreLoad load,
            StoreDatabase database,
            Lasting timing,
            int managePort) {
        this.run = run;
        this.lineup = lineup;
        this.load = load;
        this.database = database;
        this.timing = timing;
        this.managePort = managePort;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Settings settings = run.settings();
        Population population =
                new Population(
                        settings.number(ITEMS, 100, 1_000_000),
                        settings.number(CUSTOMERS, 100, 10_000_000),
                        1);
        String templates = templates(settings);
        Pinning pinning = Pinning.of(run.environment().tools());
        run.facts(Machine.describe(run.environment(), pinning));
        try (WorkFolder workFolder = WorkFolder.make();
                StoreDatabase database = database(run, workFolder, pinning);
                OwnProcessor _ = OwnProcessor.of(pinning);
                Lineup lineup = new Lineup(run, workFolder)) {
            long began = System.nanoTime();
            fill(database, population);
            double took = (System.nanoTime() - began) / 1e9;
            run.say("filled in " + Figures.show(took, 0) + " s");
            int managePort = FreePorts.next();
            var shop =
                    new StoreRival.Shop(
                            database.url(),
                            database.user(),
                            settings.number(POOL, 2, 1_000),
                            new SimulatedDelays(
                                    micros(settings, DISTANCE),
                                    micros(settings, LIST),
                                    micros(settings, VIEW)),
                            templates);
            for (ServingMode way : ways(settings)) {
                lineup.add(
                        way.label(),
                        new Lineup.Entry(
                                new StoreRival(way, shop),
                                workFolder.root(),
                                pinning.serverList(),
                                RivalSettings.DEFAULT.withManagePort(
                                        way == ServingMode.TANDEM ? managePort : 0)));
            }
            var timing =
                    new Lasting(
                            settings.decimal(PACE, 0.1, 1_000),
                            settings.decimal(RAMP, 0, 600),
                            settings.decimal(SECS, 1, 3_600),
                            settings.decimal(WARM, 0.5, 600));
            var load = new StoreLoad(browsers(settings, population, timing.pace), run.seed());
            new StagedExperiment(run, lineup, load, database, timing, managePort).measure(settings);
        }
    }

    private static Duration micros(Settings settings, Setting setting) {
        return Duration.of(settings.number(setting, 0, 10_000_000), ChronoUnit.MICROS);
    }

    private static String templates(Settings settings) {
        List<String> chosen = settings.words(TEMPLATES, List.of(COMPILED, INTERPRETED));
        if (chosen.size() != 1) {
            throw new IllegalArgumentException("--templates must be one kind, was " + chosen);
        }
        return chosen.getFirst();
    }

    private static List<ServingMode> ways(Settings settings) {
        List<String> words = Arrays.stream(ServingMode.values()).map(ServingMode::word).toList();
        List<String> chosen = settings.words(WAYS, words);
        return Arrays.stream(ServingMode.values())
                .filter(way -> way == ServingMode.THREADS || chosen.contains(way.word()))
                .toList();
    }

    private static StoreDatabase database(Run run, WorkFolder workFolder, Pinning pinning)
            throws LabException, InterruptedException {
        String word = run.settings().text(DATABASE);
        StoreDatabase.Kind kind = StoreDatabase.Kind.best();
        if (!word.equals("best")) {
            List<String> known =
                    Arrays.stream(StoreDatabase.Kind.values())
                            .map(StoreDatabase.Kind::word)
                            .toList();
            run.settings().words(DATABASE, known);
            kind = StoreDatabase.Kind.valueOf(word.toUpperCase(java.util.Locale.ROOT));
        }
        Path folder = workFolder.folder().resolve("database");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LabException("cannot make " + folder + ": " + e.getMessage());
        }
        List<String> owners = run.settings().words(PROCESSOR, List.of("load", "server"));
        boolean isServers = owners.equals(List.of("server"));
        String processor =
                isServers && !pinning.serverList().isEmpty()
                        ? Integer.toString(pinning.server())
                        : pinning.loadList();
        Lineup.open(workFolder.folder());
        StoreDatabase database = StoreDatabase.start(kind, folder, processor, run.environment());
        run.say("the database is " + kind.word());
        database.awaitReady();
        return database;
    }

    private static void fill(StoreDatabase database, Population population) throws LabException {
        var settings =
                dev.tandem.bookstore.Settings.DEFAULT
                        .withDatabase(database.url(), database.user(), "")
                        .withPopulation(population);
        try (Bookstore _ = Bookstore.open(settings)) {
            database.settle();
        } catch (IOException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static BookstoreClients browsers(
            Settings settings, Population population, double pace) {
        boolean hasPictures = settings.words(PICTURES, List.of("yes", "no")).contains("yes");
        return new BookstoreClients(
                Published.tpcwBrowsing(),
                population.customers(),
                population.items(),
                pace,
                hasPictures);
    }

    private void measure(Settings settings) throws LabException, InterruptedException {
        double times = settings.decimal(TIMES, 0.1, 20);
        int repetitions = settings.number(REPETITIONS, 1, 99);
        var scenarios = new ArrayList<Scenario>();
        var capacities = new LinkedHashMap<String, Double>();
        for (String name : lineup.names()) {
            saturate(name, 0, timing.warm);
            capacities.put(name, capacity(name)); // of all: so long each is warmed
            scenarios.add(Scenario.of(name));
        }
        double capacity = capacities.getOrDefault(ServingMode.THREADS.label(), 0.0);
        clients = (int) Math.round(times * capacity * THINK / timing.pace);
        run.say("clients: " + clients);
        findings.load(capacities, times, clients);
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : SECONDS_MAX;
        var plan = new Repetitions.Plan(repetitions, 0, timing.ramp + timing.seconds, box);
        new Repetitions(run, scenarios, plan).measure(this::measureOnce, findings::of);
    }

    private double capacity(String name) throws LabException, InterruptedException {
        boolean isQuick = run.form() == Form.QUICK;
        double seconds = isQuick ? CAPACITY_SECONDS_QUICK : CAPACITY_SECONDS;
        StoreLoad.Result measurement =
                saturate(name, isQuick ? CAPACITY_RAMP_QUICK : CAPACITY_RAMP, seconds);
        Map<String, Double> figures = StoreFigures.of(measurement);
        double found = figures.getOrDefault(StoreFigures.PAGES, 0.0);
        double cost = figures.getOrDefault(StoreFigures.COST, Double.NaN);
        run.say(
                "%s serves %s pages/s, by %s ms of a processor each"
                        .formatted(name, Figures.show(found, 0), Figures.show(cost, 2)));
        if (!(found > 0)) {
            throw new LabException(name + " sent no page in " + seconds + " s");
        }
        return found;
    }

    private StoreLoad.Result saturate(String name, double ramp, double seconds)
            throws LabException, InterruptedException {
        StoreLoad busy = load.withPace(NO_THINKING);
        return busy.play(
                lineup.running(name), SATURATING, Duration.ZERO, time(ramp), time(seconds));
    }

    private Reading measureOnce(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        String name = scenario.contender();
        Duration stagger = time(Math.min(THINK / timing.pace, timing.ramp));
        RunningRival server = lineup.running(name);
        long began = System.nanoTime();
        double before = database.cpuSeconds();
        StoreLoad.Result measurement =
                load.play(server, clients, stagger, time(timing.ramp), time(timing.seconds));
        double used = (database.cpuSeconds() - before) / ((System.nanoTime() - began) / 1e9);
        findings.took(name, measurement);
        if (!measurement.report().errors().isEmpty()) {
            run.say(name + ": " + measurement.report().errors());
        }
        if (name.equals(ServingMode.TANDEM.label())) {
            findings.explained(Caller.explanation(managePort));
        }
        Map<String, Double> figures = StoreFigures.of(measurement);
        figures.put(StoreFigures.DATABASE, used);
        return new Reading(figures, measurement.generatorShare());
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
