package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Numbers;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The report of [PageCacheExperiment]: by cache, and over what was swept (clients, memory, the
/// share of compressed pages).
final class PageCacheFindings {
    static final String THROUGHPUT = "MB/s";
    static final String RESPONSE = "response ms";
    static final String DISK_READ = "disk MB/s";
    static final String DISK_SHARE = "disk bytes a byte sent";
    static final String CPU = "server CPU";
    static final String COMPRESSING = "compressing CPU";
    static final String DECOMPRESSING = "decompressing CPU";
    static final String CHARGED = "memory MB";

    /// Parameters of scenarios.
    static final String CLIENTS = "clients";

    static final String MEMORY = "MiB";

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

    private static final List<String> CHARTS = List.of(THROUGHPUT, DISK_SHARE, RESPONSE);

    /// Over what is swept, as the thesis has them.
    private static final List<String> SWEPT =
            List.of(THROUGHPUT, RESPONSE, DISK_READ, DISK_SHARE, CPU, COMPRESSING, DECOMPRESSING);

    private PageCacheFindings() {}

    static Findings of(Samples samples, String conditions) {
        var findings =
                new Findings(
                                "A site larger than memory",
                                "How much of a site limited by its disk is served from memory,"
                                        + " by which cache? Every received byte was compared.")
                        .headline(headline(samples))
                        .table("All figures", samples.table(FIGURES))
                        .note(conditions)
                        .data("measurements", samples.asList());
        charts(samples).forEach(findings::chart);
        return findings;
    }

    private static List<Chart> charts(Samples samples) {
        List<Scenario> all = samples.scenarios();
        var charts = new ArrayList<Chart>();
        boolean isSwept = all.stream().anyMatch(s -> s.at().containsKey(CLIENTS));
        List<Scenario> shares = all.stream().filter(PageCacheFindings::isShare).toList();
        for (String figure : isSwept ? SWEPT : List.<String>of()) {
            charts.add(overClients(samples, figure));
        }
        for (String figure : isSwept ? List.<String>of() : CHARTS) {
            List<String> names = all.stream().map(Scenario::toString).toList();
            charts.add(
                    Bars.of(
                            new Caption(figure, "By cache."),
                            names,
                            Axis.linear(figure, ""),
                            List.of(samples.bars("median", figure, all))));
        }
        for (String figure : shares.size() > 1 ? SWEPT : List.<String>of()) {
            charts.add(overShare(samples, figure, shares));
        }
        charts.add(processors(samples, all));
        return charts;
    }

    private static boolean isShare(Scenario scenario) {
        return scenario.contender().matches("share[0-9]+") && scenario.at().isEmpty();
    }

    private static Lines overClients(Samples samples, String figure) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (Scenario scenario : samples.scenarios()) {
            double memory = scenario.at(MEMORY);
            String size = Double.isNaN(memory) ? "" : ", " + Numbers.show(memory) + " MiB";
            lines.computeIfAbsent(scenario.contender() + size, _ -> new ArrayList<>())
                    .add(samples.figures(scenario, figure).at(scenario.at(CLIENTS)));
        }
        return Lines.of(
                new Caption(figure + " by clients", "By cache and memory."),
                Axis.linear("clients", ""),
                Axis.linear(figure, ""),
                series(lines));
    }

    private static List<Series> series(Map<String, List<Point>> lines) {
        var series = new ArrayList<Series>();
        lines.forEach((name, points) -> series.add(new Series(name, points)));
        return series;
    }

    private static Lines overShare(Samples samples, String figure, List<Scenario> shares) {
        List<Point> points =
                shares.stream().map(s -> samples.figures(s, figure).at(share(s))).toList();
        return Lines.of(
                new Caption(figure + " by share", "Of memory that may hold compressed pages."),
                Axis.linear("share", "%"),
                Axis.linear(figure, ""),
                List.of(new Series("page cache", points)));
    }

    private static double share(Scenario scenario) {
        return Double.parseDouble(scenario.contender().substring("share".length()));
    }

    /// As the thesis's figures of processor time: stacked by what it was spent on.
    private static Bars processors(Samples samples, List<Scenario> all) {
        var serving = new ArrayList<Point>();
        for (int i = 0; i < all.size(); i++) {
            Scenario one = all.get(i);
            double rest =
                    samples.median(one, CPU)
                            - orZero(samples.median(one, COMPRESSING))
                            - orZero(samples.median(one, DECOMPRESSING));
            serving.add(Point.of(i, Math.max(0, rest)));
        }
        return Bars.stacked(
                new Caption("processor time", "In processors, by what it was spent on."),
                all.stream().map(Scenario::toString).toList(),
                Axis.linear("processors", ""),
                List.of(
                        new Series("all else", serving),
                        samples.bars("decompressing", DECOMPRESSING, all),
                        samples.bars("compressing", COMPRESSING, all)));
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private static List<Headline> headline(Samples samples) {
        List<Scenario> all = samples.scenarios();
        if (all.stream().anyMatch(s -> s.at().containsKey(MEMORY))) {
            return halfOfMemory(samples);
        }
        if (all.stream().anyMatch(s -> s.at().containsKey(CLIENTS))) {
            return byClients(samples);
        }
        return byCache(samples);
    }

    /// For each number of clients.
    private static List<Headline> byClients(Samples samples) {
        var lines = new ArrayList<Headline>();
        for (Scenario ours : samples.scenarios()) {
            Scenario kernel = new Scenario(PageForm.KERNEL, ours.at());
            if (ours.contender().equals(PageForm.ASYNC) && samples.scenarios().contains(kernel)) {
                lines.add(
                        new Headline(
                                "throughput of " + ours + ", of the kernel's cache",
                                ratio(samples, ours, kernel, THROUGHPUT),
                                "",
                                Goal.atLeast(1)));
            }
        }
        return lines;
    }

    /// The thesis's comparison of 4 GB with the cache and 8 GB without, for each number of clients.
    private static List<Headline> halfOfMemory(Samples samples) {
        var lines = new ArrayList<Headline>();
        for (Scenario ours : samples.scenarios()) {
            Scenario kernel =
                    new Scenario(PageForm.KERNEL, ours.at()).with(MEMORY, 2 * ours.at(MEMORY));
            boolean isPair =
                    ours.contender().equals(PageForm.ASYNC) && samples.scenarios().contains(kernel);
            if (isPair) {
                lines.add(
                        new Headline(
                                "throughput of " + ours + ", of " + kernel,
                                ratio(samples, ours, kernel, THROUGHPUT),
                                "",
                                Goal.atLeast(1)));
            }
        }
        return lines;
    }

    private static List<Headline> byCache(Samples samples) {
        boolean hasKernel = samples.scenarios().contains(Scenario.of(PageForm.KERNEL));
        Scenario plain = Scenario.of(hasKernel ? PageForm.KERNEL : PageForm.LRU);
        String of = hasKernel ? ", of the kernel's cache" : ", of a plain cache of ours";
        Scenario ours = best(samples);
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

    /// Compressing in the background, with its usual share of compressed pages; or with the best of
    /// several.
    private static Scenario best(Samples samples) {
        Scenario usual = Scenario.of(PageForm.ASYNC);
        return samples.scenarios().contains(usual)
                ? usual
                : samples.scenarios().stream()
                        .filter(PageCacheFindings::isShare)
                        .max(Comparator.comparingDouble(s -> samples.median(s, THROUGHPUT)))
                        .orElse(usual);
    }

    private static Scenario random(Scenario of) {
        return Scenario.of(of.contender() + PageForm.RANDOM);
    }

    private static double ratio(Samples samples, Scenario ours, Scenario other, String figure) {
        return samples.median(ours, figure) / samples.median(other, figure);
    }
}
