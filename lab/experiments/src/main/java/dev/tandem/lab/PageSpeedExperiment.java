package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;

/// Cost of a page: an uncompressed one, compared with a read from the kernel's cache; a compressed
/// one, compared with the library alone; and two threads compared with one.
final class PageSpeedExperiment implements Repetitions.Runner {
    private static final String HOT = "hot page";
    private static final String KERNEL = "read from the kernel's cache";
    private static final String COMPRESSED = "compressed page";
    private static final String LIBRARY = "the library alone";
    private static final String ONE = "hot pages, 1 thread";
    private static final String TWO = "hot pages, 2 threads";

    private static final String MICROS = "µs a page";
    private static final String RATE = "pages/s";

    private static final Setting PAGES =
            new Setting("pages", "N", "2000", "of 64 KiB each; a processor's cache holds fewer");
    private static final Setting RANDOM =
            new Setting("random", "PERCENT", "38", "of the pages' bytes; 38 compress to 0.41");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "15", "7", "measurements of each");

    private static final int QUICK_SECONDS = 40;
    private static final int FULL_SECONDS = 90;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "page-speed",
                    "measures the cost of a page of the page cache",
                    List.of("In this process, without a server."),
                    new Experiment.Terms(
                            List.of(PAGES, RANDOM, REPETITIONS),
                            List.of(),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    PageSpeedExperiment::run);

    private final PagePasses passes;

    private PageSpeedExperiment(PagePasses passes) {
        this.passes = passes;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        run.facts(Machine.describe(run.environment(), Pinning.NONE));
        int pages = settings.number(PAGES, 64, 16_384);
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        try (WorkFolder workFolder = WorkFolder.make();
                var passes =
                        PagePasses.of(workFolder.root(), pages, settings.number(RANDOM, 0, 100))) {
            var experiment = new PageSpeedExperiment(passes);
            List<Scenario> scenarios =
                    List.of(HOT, KERNEL, COMPRESSED, LIBRARY, ONE, TWO).stream()
                            .map(Scenario::of)
                            .toList();
            var plan = new Repetitions.Plan(settings.number(REPETITIONS, 1, 1_000), 0.3, 0.3, box);
            new Repetitions(run, scenarios, plan)
                    .measure(experiment, PageSpeedExperiment::findings);
        } catch (IOException e) {
            throw new LabException("cannot read or write the pages: " + e.getMessage());
        }
    }

    /// One pass compiles all of it; figures before that are of uncompiled code.
    @Override
    public void warm(Scenario scenario) throws LabException, InterruptedException {
        measure(scenario, 0);
        measure(scenario, 0);
    }

    @Override
    public Reading measure(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        var figures = new LinkedHashMap<String, Double>();
        try {
            switch (scenario.contender()) {
                case HOT -> figures.put(MICROS, passes.hot());
                case KERNEL -> figures.put(MICROS, passes.kernel());
                case COMPRESSED -> figures.put(MICROS, passes.compressed());
                case LIBRARY -> figures.put(MICROS, passes.library());
                case ONE -> figures.put(RATE, passes.hotBy(1));
                default -> figures.put(RATE, passes.hotBy(2));
            }
        } catch (IOException e) {
            throw new LabException("cannot read the pages: " + e.getMessage());
        }
        return Reading.of(figures);
    }

    private static Findings findings(Samples samples) {
        List<Scenario> costs = samples.scenarios().stream().filter(c -> !isRate(c)).toList();
        return new Findings(
                        "Cost of a page",
                        "Is a page of ours read as fast as one from the kernel, or from the library"
                                + " that decompresses it? Medians; every pass is over the same"
                                + " pages, which are in memory, not in the processor's cache.")
                .headline(headline(samples))
                .table("All figures", samples.table(MICROS, RATE))
                .chart(
                        Bars.of(
                                new Caption(MICROS, "By operation."),
                                costs.stream().map(Scenario::contender).toList(),
                                Axis.linear(MICROS, ""),
                                List.of(samples.bars("median", MICROS, costs))))
                .data("measurements", samples.asList());
    }

    private static boolean isRate(Scenario scenario) {
        return scenario.contender().equals(ONE) || scenario.contender().equals(TWO);
    }

    private static List<Headline> headline(Samples samples) {
        return List.of(
                new Headline(
                        "hot page, of a read from the kernel's cache",
                        ratio(samples, HOT, KERNEL, MICROS),
                        "",
                        Goal.atMost(1)),
                new Headline(
                        "compressed page, of the library alone",
                        ratio(samples, COMPRESSED, LIBRARY, MICROS),
                        "",
                        Goal.atMost(1.1)),
                new Headline(
                        "two threads, of one",
                        ratio(samples, TWO, ONE, RATE),
                        "",
                        Goal.atLeast(1.8)));
    }

    private static double ratio(Samples samples, String ours, String other, String figure) {
        return samples.median(Scenario.of(ours), figure)
                / samples.median(Scenario.of(other), figure);
    }
}
