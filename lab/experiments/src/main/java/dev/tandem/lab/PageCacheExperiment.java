package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A site several times larger than memory on a slow disk, as in chapter 5 of Beltran's thesis: the
/// kernel's cache compared with ours, and ours in its forms.
final class PageCacheExperiment implements Repetitions.Runner {
    private static final Setting FORMS =
            new Setting(
                    "forms",
                    "NAMES",
                    "kernel,off,lru,sync,async,stored,kernel-random,async-random",
                    "kernel,lru,sync,async,stored,kernel-random,async-random",
                    "caches compared; shareNN: async, with NN percent of it compressed; async-lru:"
                            + " compressing, replaced by LRU; -random: incompressible files");
    private static final Setting LIMITS =
            new Setting(
                    "limits",
                    "BY",
                    "auto",
                    "of memory and disk: by control groups, or the lab's own slow reader");
    private static final Setting DIRECTORIES =
            new Setting("directories", "N", "36", "of 16 files and 17 MB each");
    private static final Setting MEMORY =
            new Setting("memory", "MIB", "384", "of the control group; several: compared");
    private static final Setting JVM =
            new Setting("jvm", "MB", "80", "part of it that is not for the page cache");
    private static final Setting DISK =
            new Setting("disk", "MB/S", "40", "rate of the disk; the thesis had 44");
    private static final Setting RANDOM =
            new Setting("random", "PERCENT", "38", "of the files' bytes; 38 compress to 0.41");
    private static final Setting ALPHA =
            new Setting("alpha", "A", "0.4", "of Zipf's law for directories; SPECweb's own: 1.2");
    private static final Setting CLIENTS =
            new Setting(
                    "clients",
                    "N",
                    "8",
                    "concurrent, or several numbers: compared; a server of one processor begins"
                            + " with 8 workers, so that admission rejects none of 8");
    private static final Setting PER_CLIENT =
            new Setting(
                    "per-client",
                    "N",
                    "0",
                    "directories for each client, as in SPECweb; 0: --directories for all");
    private static final Setting CORPUS =
            new Setting("corpus", "DIR", "", "of files whose bytes the site has; else generated");
    private static final Setting WARM = new Setting("warm", "S", "30", "14", "of load before");
    private static final Setting SECS = new Setting("secs", "S", "20", "10", "of a measurement");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "measurements of each");

    private static final double SCALE = 0.25;
    private static final int QUICK_SECONDS = 220;
    private static final int FULL_SECONDS = 1_200;

    /// For sweeps, which measure more than the seven caches: no repetition begins that would end
    /// later.
    private static final int SWEEP_SECONDS_MAX = 3_000;

    /// Approximate time until a server responds, its disk has its rate, and its files are
    /// forgotten.
    private static final double START_SECONDS = 5;

    private static final int WARM_FACTOR = 3;
    private static final int MB = 1_000_000;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "page-cache",
                    "compares page caches on a site larger than memory",
                    List.of("Downloads of SPECweb2005's Support site, at the disk's saturation."),
                    new Experiment.Terms(
                            List.of(
                                    FORMS,
                                    LIMITS,
                                    DIRECTORIES,
                                    MEMORY,
                                    JVM,
                                    DISK,
                                    RANDOM,
                                    ALPHA,
                                    CLIENTS,
                                    PER_CLIENT,
                                    CORPUS,
                                    WARM,
                                    SECS,
                                    REPETITIONS),
                            List.of(Need.program("dd", "apt-get install coreutils")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    PageCacheExperiment::run);

    private final Run run;

    /// By memory.
    private final Map<Double, SlowSite.Starter> starters = new HashMap<>();

    /// By number of clients.
    private final Map<Double, SupportFiles> files = new HashMap<>();

    /// The same, incompressible.
    private final Map<Double, SupportFiles> random = new HashMap<>();

    private PageCacheExperiment(Run run) {
        this.run = run;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Pinning pinning = Pinning.of(run.environment().tools());
        Map<String, String> facts =
                new LinkedHashMap<>(Machine.describe(run.environment(), pinning));
        var experiment = new PageCacheExperiment(run);
        List<Scenario> scenarios = experiment.scenarios();
        try (WorkFolder workFolder = WorkFolder.make();
                OwnProcessor _ = OwnProcessor.of(pinning)) {
            for (double memory : experiment.memories()) {
                experiment.starters.put(memory, starter(run, pinning, workFolder, (int) memory));
            }
            experiment.prepareFiles(workFolder, scenarios, facts);
            run.facts(facts);
            double seconds = experiment.number(WARM) + experiment.number(SECS) + START_SECONDS;
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : SWEEP_SECONDS_MAX;
            var plan = new Repetitions.Plan(experiment.number(REPETITIONS), 0, seconds, box);
            new Repetitions(run, scenarios, plan)
                    .measure(
                            experiment,
                            samples -> PageCacheFindings.of(samples, experiment.conditions()));
        }
    }

    private List<Double> memories() {
        return run.settings().decimals(MEMORY, 1, 1_000_000);
    }

    private List<Double> clients() {
        return run.settings().decimals(CLIENTS, 1, 10_000);
    }

    /// Each cache with each memory and each number of clients.
    private List<Scenario> scenarios() throws LabException {
        var scenarios = new ArrayList<Scenario>();
        for (String text : run.settings().text(FORMS).split(",")) {
            PageForm.checked(text.strip());
            for (double memory : memories()) {
                for (double clients : clients()) {
                    Scenario one = Scenario.of(text.strip());
                    one = memories().size() > 1 ? one.with(PageCacheFindings.MEMORY, memory) : one;
                    one = clients().size() > 1 ? one.with(PageCacheFindings.CLIENTS, clients) : one;
                    scenarios.add(one);
                }
            }
        }
        return scenarios;
    }

    private double memory(Scenario scenario) {
        return scenario.at().getOrDefault(PageCacheFindings.MEMORY, memories().getFirst());
    }

    private double clients(Scenario scenario) {
        return scenario.at().getOrDefault(PageCacheFindings.CLIENTS, clients().getFirst());
    }

    /// Writes the largest set; smaller ones are its first directories.
    private void prepareFiles(
            WorkFolder workFolder, List<Scenario> scenarios, Map<String, String> facts)
            throws LabException {
        String corpus = run.settings().text(CORPUS);
        Contents contents =
                corpus.isEmpty()
                        ? new Contents(run.settings().number(RANDOM, 0, 100))
                        : Contents.of(Path.of(corpus));
        for (double clients : clients()) {
            files.put(clients, files(workFolder, "files", clients, contents));
            random.put(clients, files(workFolder, "random", clients, new Contents(100)));
        }
        SupportFiles largest = Objects.requireNonNull(files.get(clients().getLast()));
        facts.put("files", largest.count() + " of " + largest.bytes() / MB + " MB at most");
        facts.put("contents", corpus.isEmpty() ? "generated" : "of a folder");
        facts.put("limits", Objects.requireNonNull(starters.get(memories().getFirst())).limits());
        largest.write();
        for (Scenario scenario : scenarios) {
            if (PageForm.of(scenario.contender()).isRandom()) {
                Objects.requireNonNull(random.get(clients().getLast())).write();
                return;
            }
        }
    }

    private SupportFiles files(
            WorkFolder workFolder, String name, double clients, Contents contents)
            throws LabException {
        int perClient = run.settings().number(PER_CLIENT, 0, 1_000);
        int directories = run.settings().number(DIRECTORIES, 1, 10_000);
        return new SupportFiles(
                workFolder.root().resolve(name),
                perClient == 0 ? directories : (int) (perClient * clients),
                SCALE,
                run.settings().decimal(ALPHA, 0, 5),
                contents);
    }

    /// Control groups where this machine has them; else the lab's own slow reader.
    private static SlowSite.Starter starter(
            Run run, Pinning pinning, WorkFolder workFolder, int memory) throws LabException {
        Settings settings = run.settings();
        int forPages = memory - settings.number(JVM, 1, memory - 1);
        var caged = new ControlGroupSite.Starting(run, pinning, workFolder, memory, forPages);
        String limits = settings.text(LIMITS);
        switch (limits) {
            case "groups" -> {
                return caged;
            }
            case "own" -> {
                return new OwnSlowSite.Starting(forPages, "asked for");
            }
            case "auto" -> {
                try (ControlGroup cage = ControlGroup.make(workFolder.root())) {
                    cage.limitDisk((long) MB); // it may be there and yet not to be set
                    return caged;
                } catch (LabException e) {
                    return new OwnSlowSite.Starting(forPages, e.line());
                }
            }
            default ->
                    throw new LabException(
                            "--limits must be auto, groups or own, was '" + limits + "'");
        }
    }

    private int number(Setting setting) {
        return run.settings().number(setting, 1, 1_000_000);
    }

    @Override
    public Reading measure(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        PageForm form = PageForm.of(scenario.contender());
        int clients = (int) clients(scenario);
        SupportFiles asked =
                Objects.requireNonNull((form.isRandom() ? random : files).get(clients(scenario)));
        asked.forget();
        SlowSite.Starter starter = Objects.requireNonNull(starters.get(memory(scenario)));
        try (SlowSite site = starter.start(form, asked.root())) {
            var downloads = new Downloads(asked, site.port(), form.isStored());
            // Faster, so that it is full soon, yet has the time to compress.
            site.limitDisk(WARM_FACTOR * (long) number(DISK) * MB);
            downloads.run(clients, number(WARM), run.seed() + repetition);
            site.limitDisk((long) number(DISK) * MB);
            downloads.run(clients, 1, run.seed() + 50); // now at the disk's pace
            SlowSite.Use before = site.use();
            var came = downloads.run(clients, number(SECS), run.seed() + 100);
            return Reading.of(figures(came, before, site.use()));
        }
    }

    private static Map<String, Double> figures(
            Downloads.Result came, SlowSite.Use before, SlowSite.Use after) {
        double seconds = came.seconds();
        double read = after.diskBytes() - before.diskBytes();
        var figures = new LinkedHashMap<String, Double>();
        figures.put(PageCacheFindings.THROUGHPUT, came.bytes() / seconds / MB);
        figures.put("requests/s", came.requests() / seconds);
        figures.put("rejected/s", came.rejected() / seconds);
        figures.put(PageCacheFindings.RESPONSE, came.meanMillis());
        figures.put(PageCacheFindings.DISK_READ, read / seconds / MB);
        figures.put(PageCacheFindings.DISK_SHARE, read / Math.max(1, came.bytes()));
        figures.put(PageCacheFindings.CPU, (after.cpuSeconds() - before.cpuSeconds()) / seconds);
        figures.put(
                PageCacheFindings.COMPRESSING,
                after.gained(before, "compress_seconds_total") / seconds);
        figures.put(
                PageCacheFindings.DECOMPRESSING,
                after.gained(before, "decompress_seconds_total") / seconds);
        figures.put("not compressed/s", after.gained(before, "dropped_total") / seconds);
        figures.put("held MB", after.of("held_bytes", 0) / MB);
        figures.put("uncompressed MB", after.of("uncompressed_bytes", 0) / MB);
        figures.put("ratio", after.of("compression_ratio", Double.NaN));
        figures.put(PageCacheFindings.CHARGED, after.memoryBytes() / MB);
        return figures;
    }

    private String conditions() {
        return "The server has one processor, "
                + run.settings().text(MEMORY)
                + " MiB of memory, JVM included, and a disk that gives "
                + number(DISK)
                + " MB/s; "
                + run.settings().text(CLIENTS)
                + " clients download in a closed loop. CPU in processors.";
    }
}
