package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Throughput of page caches by second: after a cold start, after a restart, and while the memory
/// of the server's control group is lowered and raised again. As [PageCacheExperiment] otherwise.
final class PageCourseExperiment implements Repetitions.Runner {
    private static final Setting FORMS =
            new Setting("forms", "NAMES", "kernel,async", "caches compared, as in page-cache");
    private static final Setting DIRECTORIES =
            new Setting("directories", "N", "36", "of 16 files and 17 MB each");
    private static final Setting MEMORY =
            new Setting("memory", "MIB", "384", "of the control group");
    private static final Setting LOWERED =
            new Setting("lowered", "MIB", "224", "of the control group, for a while");
    private static final Setting JVM =
            new Setting("jvm", "MB", "80", "part of it that is not for the page cache");
    private static final Setting DISK =
            new Setting("disk", "MB/S", "80", "rate of the disk; 0: not limited");
    private static final Setting CLIENTS = new Setting("clients", "N", "8", "concurrent");
    private static final Setting COLD =
            new Setting("cold", "S", "60", "16", "load after the cold start");
    private static final Setting RESTART =
            new Setting("restart", "S", "30", "12", "load after the restart");
    private static final Setting LOWER =
            new Setting("lower", "S", "30", "12", "load in whose second third memory is lowered");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "measurements of each");

    private static final double SCALE = 0.25;
    private static final double ALPHA = 0.4;
    private static final int RANDOM_PERCENT = 38;
    private static final int QUICK_SECONDS = 180;
    private static final int FULL_SECONDS = 1_500;
    private static final double MB = 1e6;

    /// Seconds of which figures are the means.
    private static final int FIRST = 5;

    private static final String FIRST_COLD = "cold, first 5 s: MB/s";
    private static final String BEFORE = "before the restart, 5 s: MB/s";
    private static final String AFTER = "restarted, first 5 s: MB/s";
    private static final String LAST = "restarted, last 5 s: MB/s";
    private static final String START = "restart ms";
    private static final String READ = "restarted: MB read from the disk";
    private static final String LOWERED_TO = "memory lowered: MB/s";
    private static final String LOWERED_AFTER = "lowering took s";

    private static final Map<String, String> CHARTS =
            Map.of(
                    "cold", "After a cold start",
                    "restart", "After a restart",
                    "lowered", "While memory is lowered");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "page-course",
                    "page caches by second: cold start, restart, less memory",
                    List.of("Downloads of SPECweb2005's Support site; every byte is compared."),
                    new Experiment.Terms(
                            List.of(
                                    FORMS,
                                    DIRECTORIES,
                                    MEMORY,
                                    LOWERED,
                                    JVM,
                                    DISK,
                                    CLIENTS,
                                    COLD,
                                    RESTART,
                                    LOWER,
                                    REPETITIONS),
                            List.of(Need.program("dd", "apt-get install coreutils")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    PageCourseExperiment::run);

    private final Run run;
    private final ControlGroupSite.Starting starting;
    private final SupportFiles files;

    /// Bytes in each second, by the chart and the cache; of the last repetition.
    private final Map<String, Map<String, List<Double>>> courses = new LinkedHashMap<>();

    private PageCourseExperiment(Run run, ControlGroupSite.Starting starting, SupportFiles files) {
        this.run = run;
        this.starting = starting;
        this.files = files;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Pinning pinning = Pinning.of(run.environment().tools());
        Settings settings = run.settings();
        int memory = settings.number(MEMORY, 1, 1_000_000);
        int forPages = memory - settings.number(JVM, 1, memory - 1);
        List<Scenario> scenarios = new ArrayList<>();
        for (String name : settings.text(FORMS).split(",")) {
            PageForm.checked(name.strip());
            scenarios.add(Scenario.of(name.strip()));
        }
        try (WorkFolder workFolder = WorkFolder.make();
                OwnProcessor _ = OwnProcessor.of(pinning)) {
            var files =
                    new SupportFiles(
                            workFolder.root().resolve("files"),
                            settings.number(DIRECTORIES, 1, 10_000),
                            SCALE,
                            ALPHA,
                            new Contents(RANDOM_PERCENT));
            var starting =
                    new ControlGroupSite.Starting(run, pinning, workFolder, memory, forPages);
            var facts = new LinkedHashMap<>(Machine.describe(run.environment(), pinning));
            facts.put("files", files.count() + " of " + (int) (files.bytes() / MB) + " MB");
            facts.put("limits", starting.limits());
            run.facts(facts);
            files.write();
            var experiment = new PageCourseExperiment(run, starting, files);
            double seconds = experiment.seconds(COLD) + experiment.seconds(RESTART);
            seconds += experiment.seconds(LOWER) + 8;
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            int repetitions = settings.number(REPETITIONS, 1, 1_000);
            new Repetitions(run, scenarios, new Repetitions.Plan(repetitions, 0, seconds, box))
                    .measure(experiment, experiment::findings);
        }
    }

    private int seconds(Setting setting) {
        return run.settings().number(setting, 1, 1_000);
    }

    @Override
    public Reading measure(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        String name = scenario.contender();
        PageForm form = PageForm.of(name);
        files.forget();
        var figures = new LinkedHashMap<String, Double>();
        try (ControlGroup cage = ControlGroup.make(files.root())) {
            cage.limitDisk((long) (run.settings().number(DISK, 0, 100_000) * MB));
            long seed = run.seed() + repetition;
            ControlGroupSite cold = starting.startIn(cage, form, files.root());
            try {
                List<Double> course = course(cold, form, COLD, seed, _ -> {});
                keep("cold", name, course);
                figures.put(FIRST_COLD, mean(course, 0, FIRST));
                figures.put(BEFORE, mean(course, course.size() - FIRST, course.size()));
            } finally {
                cold.child().close();
            }
            long begin = System.nanoTime();
            ControlGroupSite again = starting.startIn(cage, form, files.root());
            try {
                figures.put(START, (System.nanoTime() - begin) / 1e6);
                double disk = cage.diskBytes();
                List<Double> course = course(again, form, RESTART, seed + 1, _ -> {});
                keep("restart", name, course);
                figures.put(AFTER, mean(course, 0, FIRST));
                figures.put(LAST, mean(course, course.size() - FIRST, course.size()));
                figures.put(READ, (cage.diskBytes() - disk) / MB);
                figures.putAll(lower(name, again, seed + 2));
            } finally {
                again.child().close();
            }
        }
        return Reading.of(figures);
    }

    private List<Double> course(
            ControlGroupSite site, PageForm form, Setting seconds, long seed, Downloads.Tick tick)
            throws LabException, InterruptedException {
        int clients = run.settings().number(CLIENTS, 1, 1_000);
        return new Downloads(files, site.port(), form.isStored())
                .course(clients, seconds(seconds), seed, tick);
    }

    /// Lowers the group's memory while the server is under load, and raises it again.
    private Map<String, Double> lower(String name, ControlGroupSite site, long seed)
            throws LabException, InterruptedException {
        PageForm form = PageForm.of(name);
        int third = seconds(LOWER) / 3;
        long whole = (long) run.settings().number(MEMORY, 1, 1_000_000) << 20;
        long lowered = (long) run.settings().number(LOWERED, 1, 1_000_000) << 20;
        var tick = new LoweredMemory(site.cage(), form.isKernels(), third, whole, lowered);
        List<Double> course = course(site, form, LOWER, seed, tick);
        keep("lowered", name, course);
        site.child().needsLife();
        return Map.of(
                LOWERED_AFTER, tick.takenSeconds(), LOWERED_TO, mean(course, third + 1, 2 * third));
    }

    private void keep(String chart, String name, List<Double> course) {
        courses.computeIfAbsent(chart, _ -> new LinkedHashMap<>()).put(name, course);
    }

    /// Returns the mean of some seconds, in MB/s.
    private static double mean(List<Double> course, int from, int to) {
        return course
                        .subList(Math.clamp(from, 0, course.size()), Math.min(to, course.size()))
                        .stream()
                        .mapToDouble(bytes -> bytes)
                        .average()
                        .orElse(Double.NaN)
                / MB;
    }

    private Findings findings(Samples samples) {
        var findings =
                new Findings(
                                "Page caches by second",
                                "How soon is a cache of use after a start and a restart, and what"
                                        + " happens when memory is taken away from a running"
                                        + " server? Every received byte was compared.")
                        .headline(headline(samples))
                        .table(
                                "All figures",
                                samples.table(
                                        FIRST_COLD,
                                        BEFORE,
                                        AFTER,
                                        LAST,
                                        START,
                                        READ,
                                        LOWERED_TO,
                                        LOWERED_AFTER))
                        .note(
                                "The disk gives "
                                        + run.settings().text(DISK)
                                        + " MB/s; memory "
                                        + run.settings().text(MEMORY)
                                        + " MiB, JVM included, lowered to "
                                        + run.settings().text(LOWERED)
                                        + ".")
                        .data("measurements", samples.asList());
        CHARTS.forEach((chart, caption) -> findings.chart(lines(chart, caption)));
        return findings;
    }

    private List<Headline> headline(Samples samples) {
        var lines = new ArrayList<Headline>();
        for (Scenario one : samples.scenarios()) {
            lines.add(
                    new Headline(
                            one + ": first 5 s after the restart, of before",
                            samples.median(one, AFTER) / samples.median(one, BEFORE),
                            "",
                            null));
        }
        return lines;
    }

    private Lines lines(String chart, String caption) {
        var series = new ArrayList<Series>();
        courses.getOrDefault(chart, Map.of())
                .forEach(
                        (name, course) -> {
                            var points = new ArrayList<Point>();
                            for (int i = 0; i < course.size(); i++) {
                                points.add(Point.of(i + 1.0, course.get(i) / MB));
                            }
                            series.add(new Series(name, points));
                        });
        return Lines.of(
                new Caption(caption, "Throughput in each second."),
                Axis.linear("second", "s"),
                Axis.linear("MB/s", ""),
                series);
    }
}
