package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A site several times larger than memory on a slow disk, as in chapter 5 of Beltran's thesis:
/// the kernel's cache against ours, and ours in its forms.
final class PageCacheExperiment implements Rounds.Turn {
    private static final String KERNEL = "kernel";
    private static final String ASYNC = "async";
    private static final String STORED = "stored";

    private static final Setting FORMS =
            new Setting(
                    "forms",
                    "NAMES",
                    "kernel,off,lru,sync,async,stored",
                    "kernel,lru,async,stored",
                    "caches compared; shareNN: async, with NN percent of it compressed");
    private static final Setting DIRECTORIES =
            new Setting("directories", "N", "36", "of 16 files and 17 MB each");
    private static final Setting MEMORY =
            new Setting("memory", "MB", "384", "of the control group, all in all");
    private static final Setting JVM =
            new Setting("jvm", "MB", "104", "of that not for the page cache");
    private static final Setting DISK =
            new Setting("disk", "MB/S", "40", "what the disk gives; the thesis had 44");
    private static final Setting RANDOM =
            new Setting("random", "PERCENT", "38", "of the files' bytes; 38 compress to 0.41");
    private static final Setting ALPHA =
            new Setting("alpha", "A", "0.4", "of Zipf's law for directories; SPECweb's own: 1.2");
    private static final Setting VISITORS = new Setting("visitors", "N", "24", "at the same time");
    private static final Setting WARM = new Setting("warm", "S", "30", "15", "of load before");
    private static final Setting SECS = new Setting("secs", "S", "30", "11", "of a take");
    private static final Setting ROUNDS = new Setting("rounds", "N", "3", "1", "takes of each");

    private static final double SCALE = 0.25;
    private static final int QUICK_SECONDS = 150;
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
        "refused/s",
        RESPONSE,
        DISK_READ,
        DISK_SHARE,
        CPU,
        COMPRESSING,
        DECOMPRESSING,
        "held MB",
        "represented MB",
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
                                    DIRECTORIES,
                                    MEMORY,
                                    JVM,
                                    DISK,
                                    RANDOM,
                                    ALPHA,
                                    VISITORS,
                                    WARM,
                                    SECS,
                                    ROUNDS),
                            List.of(Need.program("dd", "apt-get install coreutils")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    PageCacheExperiment::run);

    private final Run run;
    private final Workplace place;
    private final SupportFiles files;
    private final Pinning pinning;

    private PageCacheExperiment(Run run, Workplace place, SupportFiles files, Pinning pinning) {
        this.run = run;
        this.place = place;
        this.files = files;
        this.pinning = pinning;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Settings settings = run.settings();
        Pinning pinning = Pinning.of(run.around().tools());
        Map<String, String> facts = new LinkedHashMap<>(Machine.describe(run.around(), pinning));
        try (Workplace place = Workplace.make();
                OwnProcessor _ = OwnProcessor.of(pinning)) {
            var files =
                    new SupportFiles(
                            place.root(),
                            settings.number(DIRECTORIES, 1, 10_000),
                            SCALE,
                            settings.decimal(ALPHA, 0, 5),
                            settings.number(RANDOM, 0, 100));
            try (Cage cage = Cage.make(place.root())) {
                facts.put("limits", "control groups of version " + cage.version());
            }
            facts.put("files", files.count() + " of " + files.bytes() / MB + " MB");
            run.facts(facts);
            files.write();
            var experiment = new PageCacheExperiment(run, place, files, pinning);
            List<Cell> cells = new ArrayList<>();
            for (String form : settings.text(FORMS).split(",")) {
                cells.add(Cell.of(form.strip()));
            }
            double seconds = experiment.number(WARM) + experiment.number(SECS) + 4;
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            var plan = new Rounds.Plan(experiment.number(ROUNDS), 0, seconds, box);
            new Rounds(run, cells, plan).measure(experiment, experiment::findings);
        }
    }

    private int number(Setting setting) {
        return run.settings().number(setting, 1, 1_000_000);
    }

    /// What the server is called with for its cache.
    private List<String> pages(String form) throws LabException {
        String size = number(MEMORY) - number(JVM) + "m";
        return switch (form) {
            case KERNEL -> List.of();
            case "off" -> List.of("--page-cache", "0");
            case "lru" -> List.of("--page-cache", size + ",none,lru");
            case "sync" -> List.of("--page-cache", size + ",sync");
            case "lz4" -> List.of("--page-cache", size + ",lz4");
            case ASYNC, STORED -> List.of("--page-cache", size);
            default -> {
                if (!form.matches("share[0-9]{2}")) {
                    throw new LabException("--forms knows no '" + form + "'");
                }
                yield List.of("--page-cache", size + ",share=0." + form.substring(5));
            }
        };
    }

    @Override
    public Reading take(Cell cell, int round) throws LabException, InterruptedException {
        files.forget();
        int port = Child.freePort();
        int manage = Child.freePort();
        var command =
                new ArrayList<>(
                        run.around()
                                .target()
                                .with("-Xmx64m")
                                .with("-XX:+UseSerialGC")
                                .with("-XX:MaxDirectMemorySize=64m")
                                .words());
        command.addAll(List.of("serve", place.root().toString()));
        command.addAll(List.of("--listen", "127.0.0.1:" + port));
        command.addAll(List.of("--manage", "127.0.0.1:" + manage));
        command.addAll(pages(cell.contender()));
        run.command(cell.contender(), command);
        try (Cage cage = Cage.make(place.root())) {
            cage.limitMemory((long) number(MEMORY) << 20);
            List<String> words = pinning.onServer(command);
            try (Child child =
                    Child.start(cell.contender(), words, port, place.log(cell.contender()))) {
                cage.add(child.pid());
                child.awaitAnswer("/static/1k.bin");
                var downloads = new Downloads(files, port, cell.contender().equals(STORED));
                // Faster, so that it is full soon, yet has the time to compress.
                cage.limitDisk(WARM_FACTOR * (long) number(DISK) * MB);
                downloads.play(number(VISITORS), number(WARM), run.seed() + round);
                cage.limitDisk((long) number(DISK) * MB);
                return measured(cage, child, manage, downloads);
            }
        }
    }

    private Reading measured(Cage cage, Child child, int manage, Downloads downloads)
            throws LabException, InterruptedException {
        downloads.play(number(VISITORS), 1, run.seed() + 50); // from here on at the disk's pace
        Map<String, Double> before = metrics(manage);
        long disk = cage.diskBytes();
        long ticks = child.cpuTicks();
        var came = downloads.play(number(VISITORS), number(SECS), run.seed() + 100);
        double seconds = came.seconds();
        double cpu = (child.cpuTicks() - ticks) / Kernel.TICKS_PER_SECOND / seconds;
        double read = cage.diskBytes() - disk;
        Map<String, Double> after = metrics(manage);
        var figures = new LinkedHashMap<String, Double>();
        figures.put(THROUGHPUT, came.bytes() / seconds / MB);
        figures.put("requests/s", came.requests() / seconds);
        figures.put("refused/s", came.refused() / seconds);
        figures.put(RESPONSE, came.meanMillis());
        figures.put(DISK_READ, read / seconds / MB);
        figures.put(DISK_SHARE, read / Math.max(1, came.bytes()));
        figures.put(CPU, cpu);
        figures.put(COMPRESSING, gained(before, after, "compress_seconds_total") / seconds);
        figures.put(DECOMPRESSING, gained(before, after, "decompress_seconds_total") / seconds);
        figures.put("held MB", after.getOrDefault("held_bytes", 0.0) / MB);
        figures.put("represented MB", after.getOrDefault("represented_bytes", 0.0) / MB);
        figures.put("ratio", after.getOrDefault("compression_ratio", Double.NaN));
        figures.put(CHARGED, cage.memoryBytes() / (double) MB);
        return Reading.of(figures);
    }

    private static double gained(
            Map<String, Double> before, Map<String, Double> after, String name) {
        return after.getOrDefault(name, 0.0) - before.getOrDefault(name, 0.0);
    }

    private static Map<String, Double> metrics(int port) throws LabException {
        try (var caller = Caller.connect(port)) {
            String text = new String(caller.get("/metrics").body(), StandardCharsets.UTF_8);
            var values = new LinkedHashMap<String, Double>();
            Matcher line = Pattern.compile("(?m)^tandem_page_cache_(\\w+) (\\S+)$").matcher(text);
            while (line.find()) {
                values.put(line.group(1), Double.parseDouble(line.group(2)));
            }
            return values;
        } catch (IOException e) {
            throw new LabException("cannot ask for metrics: " + e.getMessage());
        }
    }

    Findings findings(Samples samples) {
        var names = samples.cells().stream().map(Cell::contender).toList();
        var findings =
                new Findings(
                                "A site larger than memory",
                                "How much of a site that its disk holds back is served from memory,"
                                        + " by which cache? Every byte that came was compared.")
                        .headline(headline(samples))
                        .table("All figures", samples.table(FIGURES))
                        .note(
                                "The server has one processor, "
                                        + number(MEMORY)
                                        + " MiB of memory, JVM included, and a disk that gives "
                                        + number(DISK)
                                        + " MB/s; visitors download in a closed loop. CPU in"
                                        + " processors.")
                        .data("takes", samples.asList());
        for (String figure : List.of(THROUGHPUT, DISK_SHARE, RESPONSE)) {
            findings.chart(
                    Bars.of(
                            new Caption(figure, "By cache."),
                            names,
                            Axis.linear(figure, ""),
                            List.of(samples.bars("median", figure, samples.cells()))));
        }
        return findings;
    }

    private static List<Headline> headline(Samples samples) {
        Cell kernel = Cell.of(KERNEL);
        Cell ours = Cell.of(ASYNC);
        return List.of(
                new Headline(
                        "throughput, of the kernel's cache",
                        samples.median(ours, THROUGHPUT) / samples.median(kernel, THROUGHPUT),
                        "",
                        Goal.atLeast(1.6)),
                new Headline(
                        "disk bytes a byte sent, of the kernel's cache",
                        samples.median(ours, DISK_SHARE) / samples.median(kernel, DISK_SHARE),
                        "",
                        Goal.atMost(0.25)),
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
}
