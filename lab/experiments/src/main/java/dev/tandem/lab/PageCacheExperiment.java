package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A site several times larger than memory on a slow disk, as in chapter 5 of Beltran's thesis: the
/// kernel's cache compared with ours, and ours in its forms.
final class PageCacheExperiment implements Repetitions.Runner {
    private static final Setting FORMS =
            new Setting(
                    "forms",
                    "NAMES",
                    "kernel,off,lru,sync,async,stored,kernel-random,async-random",
                    "kernel,lru,sync,async,stored,kernel-random,async-random",
                    "caches compared; shareNN: async, with NN percent of it compressed;"
                            + " -random: incompressible files");
    private static final Setting LIMITS =
            new Setting(
                    "limits",
                    "BY",
                    "auto",
                    "of memory and disk: by control groups, or the lab's own slow reader");
    private static final Setting DIRECTORIES =
            new Setting("directories", "N", "36", "of 16 files and 17 MB each");
    private static final Setting MEMORY =
            new Setting("memory", "MB", "384", "memory of the control group");
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
                    "concurrent; a server of one processor begins with 8"
                            + " workers, so that admission rejects none");
    private static final Setting WARM = new Setting("warm", "S", "30", "14", "of load before");
    private static final Setting SECS = new Setting("secs", "S", "30", "10", "of a measurement");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "measurements of each");

    private static final double SCALE = 0.25;
    private static final int QUICK_SECONDS = 220;
    private static final int FULL_SECONDS = 1_200;
    private static final int WARM_FACTOR = 3;
    private static final int MB = 1_000_000;

    private static final String THROUGHPUT = "MB/s";
    private static final String RESPONSE = "response ms";
    private static final String DISK_READ = "disk MB/s";
    private static final String DISK_SHARE = "disk bytes a byte sent";
    private static final String CPU = "server CPU";
    private static final String COMPRESSING = "compressing CPU";
    private static final String DECOMPRESSING = "decompressing CPU";

    private static final String CHARGED = "memory MB";

    private static final String[] FIGURES = {
        THROUGHPUT,
        "requests/s",
        "rejected/s",
        RESPONSE,
        DISK_READ,
        DISK_SHARE,
        CPU,
        COMPRESSING,
        DECOMPRESSING,
        "not compressed/s",
        "held MB",
        "uncompressed MB",
        "ratio",
        CHARGED
    };

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
                                    WARM,
                                    SECS,
                                    REPETITIONS),
                            List.of(Need.program("dd", "apt-get install coreutils")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    PageCacheExperiment::run);

    private final Run run;
    private final SlowSite.Starter starter;
    private final SupportFiles files;

    /// Incompressible files.
    private final SupportFiles random;

    private PageCacheExperiment(
            Run run, SlowSite.Starter starter, SupportFiles files, SupportFiles random) {
        this.run = run;
        this.starter = starter;
        this.files = files;
        this.random = random;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Settings settings = run.settings();
        Pinning pinning = Pinning.of(run.environment().tools());
        Map<String, String> facts =
                new LinkedHashMap<>(Machine.describe(run.environment(), pinning));
        var scenarios = new ArrayList<Scenario>();
        boolean hasRandom = false;
        for (String text : settings.text(FORMS).split(",")) {
            hasRandom |= PageForm.of(text.strip()).isRandom();
            scenarios.add(Scenario.of(text.strip()));
        }
        try (WorkFolder workFolder = WorkFolder.make();
                OwnProcessor _ = OwnProcessor.of(pinning)) {
            SlowSite.Starter starter = starter(run, pinning, workFolder);
            SupportFiles files = files(settings, workFolder, settings.number(RANDOM, 0, 100));
            SupportFiles random = files(settings, workFolder, 100);
            facts.put("limits", starter.limits());
            facts.put("files", files.count() + " of " + files.bytes() / MB + " MB");
            run.facts(facts);
            files.write();
            if (hasRandom) {
                random.write();
            }
            var experiment = new PageCacheExperiment(run, starter, files, random);
            double seconds = experiment.number(WARM) + experiment.number(SECS) + 4;
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            var plan = new Repetitions.Plan(experiment.number(REPETITIONS), 0, seconds, box);
            new Repetitions(run, scenarios, plan).measure(experiment, experiment::findings);
        }
    }

    private static SupportFiles files(Settings settings, WorkFolder workFolder, int random)
            throws LabException {
        return new SupportFiles(
                workFolder.root().resolve("random" + random),
                settings.number(DIRECTORIES, 1, 10_000),
                SCALE,
                settings.decimal(ALPHA, 0, 5),
                random);
    }

    /// Control groups where this machine has them; else the lab's own slow reader.
    private static SlowSite.Starter starter(Run run, Pinning pinning, WorkFolder workFolder)
            throws LabException {
        Settings settings = run.settings();
        int memory = settings.number(MEMORY, 1, 1_000_000);
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
        SupportFiles asked = form.isRandom() ? random : files;
        asked.forget();
        try (SlowSite site = starter.start(form, asked.root())) {
            var downloads = new Downloads(asked, site.port(), form.isStored());
            // Faster, so that it is full soon, yet has the time to compress.
            site.limitDisk(WARM_FACTOR * (long) number(DISK) * MB);
            downloads.run(number(CLIENTS), number(WARM), run.seed() + repetition);
            site.limitDisk((long) number(DISK) * MB);
            downloads.run(number(CLIENTS), 1, run.seed() + 50); // now at the disk's pace
            SlowSite.Use before = site.use();
            var came = downloads.run(number(CLIENTS), number(SECS), run.seed() + 100);
            return Reading.of(figures(came, before, site.use()));
        }
    }

    private static Map<String, Double> figures(
            Downloads.Result came, SlowSite.Use before, SlowSite.Use after) {
        double seconds = came.seconds();
        double read = after.diskBytes() - before.diskBytes();
        var figures = new LinkedHashMap<String, Double>();
        figures.put(THROUGHPUT, came.bytes() / seconds / MB);
        figures.put("requests/s", came.requests() / seconds);
        figures.put("rejected/s", came.rejected() / seconds);
        figures.put(RESPONSE, came.meanMillis());
        figures.put(DISK_READ, read / seconds / MB);
        figures.put(DISK_SHARE, read / Math.max(1, came.bytes()));
        figures.put(CPU, (after.cpuSeconds() - before.cpuSeconds()) / seconds);
        figures.put(COMPRESSING, after.gained(before, "compress_seconds_total") / seconds);
        figures.put(DECOMPRESSING, after.gained(before, "decompress_seconds_total") / seconds);
        figures.put("not compressed/s", after.gained(before, "dropped_total") / seconds);
        figures.put("held MB", after.of("held_bytes", 0) / MB);
        figures.put("uncompressed MB", after.of("uncompressed_bytes", 0) / MB);
        figures.put("ratio", after.of("compression_ratio", Double.NaN));
        figures.put(CHARGED, after.memoryBytes() / MB);
        return figures;
    }

    Findings findings(Samples samples) {
        var names = samples.scenarios().stream().map(Scenario::contender).toList();
        var findings =
                new Findings(
                                "A site larger than memory",
                                "How much of a site limited by its disk is served from memory,"
                                        + " by which cache? Every received byte was compared.")
                        .headline(headline(samples))
                        .table("All figures", samples.table(FIGURES))
                        .note(
                                "The server has one processor, "
                                        + number(MEMORY)
                                        + " MiB of memory, JVM included, and a disk that gives "
                                        + number(DISK)
                                        + " MB/s; clients download in a closed loop. CPU in"
                                        + " processors.")
                        .data("measurements", samples.asList());
        for (String figure : List.of(THROUGHPUT, DISK_SHARE, RESPONSE)) {
            findings.chart(
                    Bars.of(
                            new Caption(figure, "By cache."),
                            names,
                            Axis.linear(figure, ""),
                            List.of(samples.bars("median", figure, samples.scenarios()))));
        }
        return findings;
    }

    private static List<Headline> headline(Samples samples) {
        boolean hasKernel = samples.scenarios().contains(Scenario.of(PageForm.KERNEL));
        Scenario plain = Scenario.of(hasKernel ? PageForm.KERNEL : PageForm.LRU);
        String of = hasKernel ? ", of the kernel's cache" : ", of a plain cache of ours";
        Scenario ours = Scenario.of(PageForm.ASYNC);
        return List.of(
                new Headline(
                        "throughput" + of,
                        ratio(samples, ours, plain, THROUGHPUT),
                        "",
                        Goal.atLeast(1.6)),
                new Headline(
                        "disk bytes a byte sent" + of,
                        ratio(samples, ours, plain, DISK_SHARE),
                        "",
                        Goal.atMost(0.25)),
                new Headline(
                        "the same, sent as stored",
                        ratio(samples, Scenario.of(PageForm.STORED), plain, DISK_SHARE),
                        "",
                        Goal.atMost(0.25)),
                new Headline(
                        "throughput with files that do not shrink" + of,
                        ratio(samples, random(ours), random(plain), THROUGHPUT),
                        "",
                        Goal.atLeast(0.98)),
                new Headline(
                        "processors for compression",
                        samples.median(ours, COMPRESSING),
                        "",
                        Goal.atMost(0.25)),
                new Headline(
                        "processors for decompression",
                        samples.median(ours, DECOMPRESSING),
                        "",
                        null));
    }

    private static Scenario random(Scenario of) {
        return Scenario.of(of.contender() + PageForm.RANDOM);
    }

    private static double ratio(Samples samples, Scenario ours, Scenario other, String figure) {
        return samples.median(ours, figure) / samples.median(other, figure);
    }
}
