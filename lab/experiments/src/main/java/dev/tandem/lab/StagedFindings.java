package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.shops.BookstoreClients;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The report of the staged bookstore: charts as the paper's figures 8 to 10, and its table 4.
final class StagedFindings {
    private static final String USUAL = ServingMode.THREADS.label();
    private static final String OURS = ServingMode.TANDEM.label();
    private static final double THROUGHPUT_GOAL = 1.5;
    private static final double RESPONSE_GOAL = 100;
    private static final double WORST_GOAL = 0.95;

    /// A page with fewer responses in a measurement has no meaningful rate.
    private static final double FEW = 100;

    /// Points of a line over time.
    private static final int MOMENTS = 60;

    /// Of throughput over time in a short measurement; a long one has a part for each minute.
    private static final int PARTS = 12;

    private static final double MINUTE = 60;

    /// Of each contender, in the order of the repetitions.
    private final Map<String, List<Course>> courses = new LinkedHashMap<>();

    private String explanation = "";
    private Map<String, Double> capacities = Map.of();
    private double times;
    private int clients;

    /// @param capacities pages per second of each, with clients that do not think
    void load(Map<String, Double> capacities, double times, int clients) {
        this.capacities = Map.copyOf(capacities);
        this.times = times;
        this.clients = clients;
    }

    void took(String name, StoreLoad.Result measurement) {
        courses.computeIfAbsent(name, _ -> new ArrayList<>()).add(Course.of(measurement));
    }

    /// Adds the explanation of our server's decisions at the end of a measurement.
    void explained(String text) {
        explanation = text;
    }

    Findings of(Samples samples) {
        Findings findings =
                new Findings(
                                "Data, then view",
                                "A shop's pages consist of a database's rows and a template. How"
                                    + " many are sent, and how soon, if a request holds its"
                                    + " connection only while it makes its data, and quick pages"
                                    + " are separated from lengthy ones?")
                        .headline(headline(samples))
                        .chart(inProgress(Kind.QUICK))
                        .chart(inProgress(Kind.LENGTHY))
                        .chart(overTime(Kind.ALL))
                        .chart(overTime(Kind.QUICK))
                        .chart(overTime(Kind.LENGTHY));
        if (hasPictures(samples)) {
            findings.chart(overTime(Kind.STATIC));
        }
        return findings.chart(classes(samples))
                .chart(rates(samples))
                .chart(responses(samples))
                .table(
                        "All figures",
                        samples.table(
                                StoreFigures.PAGES,
                                StoreFigures.IN_TIME,
                                StoreFigures.QUICK,
                                StoreFigures.LENGTHY,
                                StoreFigures.QUICK_MEAN,
                                StoreFigures.QUICK_P99,
                                StoreFigures.LENGTHY_MEAN,
                                StoreFigures.PICTURES,
                                StoreFigures.PICTURE_MEAN,
                                StoreFigures.REJECTED,
                                StoreFigures.FAILED,
                                StoreFigures.HELD,
                                StoreFigures.SERVER,
                                StoreFigures.DATABASE,
                                StoreFigures.COST,
                                StoreFigures.GENERATOR))
                .table("Pages a second", byPage(samples, StoreFigures::rate, 2))
                .table("Mean response time, ms", byPage(samples, StoreFigures::mean, 1))
                .table("90th percentile against TPC-W's limit, s", limits(samples))
                .note(
                        "%d users: %.2f times what %s serves, %.0f pages/s."
                                .formatted(
                                        clients,
                                        times,
                                        USUAL,
                                        capacities.getOrDefault(USUAL, Double.NaN)))
                .data("capacities", new LinkedHashMap<String, @Nullable Object>(capacities))
                .data("users", (long) clients)
                .data("explained", explanation.lines().toList())
                .data("measurements", samples.asList());
    }

    private static boolean hasPictures(Samples samples) {
        return samples.scenarios().stream()
                .anyMatch(scenario -> samples.median(scenario, StoreFigures.PICTURES) > 0);
    }

    private static double figure(Samples samples, String who, String figure) {
        return samples.median(Scenario.of(who), figure);
    }

    private List<Headline> headline(Samples samples) {
        return List.of(
                new Headline(
                        "pages a second, of " + USUAL + "'s",
                        figure(samples, OURS, StoreFigures.PAGES)
                                / figure(samples, USUAL, StoreFigures.PAGES),
                        "",
                        Goal.atLeast(THROUGHPUT_GOAL)),
                new Headline(
                        "pages a second within TPC-W's limits, of " + USUAL + "'s",
                        figure(samples, OURS, StoreFigures.IN_TIME)
                                / figure(samples, USUAL, StoreFigures.IN_TIME),
                        "",
                        null),
                new Headline(
                        "quick pages' mean response: so many times better",
                        figure(samples, USUAL, StoreFigures.QUICK_MEAN)
                                / figure(samples, OURS, StoreFigures.QUICK_MEAN),
                        "",
                        Goal.atLeast(RESPONSE_GOAL)),
                new Headline(
                        "the least served page: its rate, of " + USUAL + "'s",
                        worst(samples),
                        "",
                        Goal.atLeast(WORST_GOAL)),
                new Headline(
                        "connections held while a page is rendered",
                        figure(samples, OURS, StoreFigures.HELD),
                        "",
                        Goal.atMost(0)));
    }

    /// Of pages with enough responses to be meaningful.
    private double worst(Samples samples) {
        List<Course> usuals = courses.getOrDefault(USUAL, List.of());
        double seconds = usuals.isEmpty() ? 1 : usuals.getFirst().seconds;
        double worst = Double.NaN;
        for (String page : BookstoreClients.pages()) {
            String rate = StoreFigures.rate(page);
            double usual = figure(samples, USUAL, rate);
            if (usual * seconds >= FEW) {
                double ratio = figure(samples, OURS, rate) / usual;
                worst = Double.isNaN(worst) ? ratio : Math.min(worst, ratio);
            }
        }
        return worst;
    }

    /// The median of the repetitions, with their range.
    private Lines inProgress(Kind kind) {
        var series = new ArrayList<Series>();
        courses.forEach(
                (name, all) -> {
                    double seconds = all.getFirst().seconds / MOMENTS;
                    var points = new ArrayList<Point>();
                    for (int i = 0; i < MOMENTS; i++) {
                        int moment = i;
                        points.add(over(all, course -> course.waiting(kind, moment), i * seconds));
                    }
                    series.add(new Series(name, points));
                });
        return Lines.of(
                new Caption(
                        "Clients that wait for " + kind.title,
                        "Pages requested and not complete yet: queued and in progress."),
                Axis.linear("time", "s"),
                Axis.linear("pages in progress", ""),
                series);
    }

    /// The median of the repetitions, with their range.
    private Lines overTime(Kind kind) {
        var series = new ArrayList<Series>();
        courses.forEach(
                (name, all) -> {
                    double whole = all.getFirst().seconds;
                    int parts = parts(whole);
                    var points = new ArrayList<Point>();
                    for (int i = 0; i < parts; i++) {
                        int part = i;
                        double end = whole / parts * (i + 1);
                        points.add(over(all, course -> course.rate(kind, part), end));
                    }
                    series.add(new Series(name, points));
                });
        return Lines.of(
                new Caption(
                        "Throughput of " + kind.title + " over time",
                        "Complete ones in each twelfth of a measurement; in each minute of a long"
                                + " one."),
                Axis.linear("time", "s"),
                Axis.linear(kind.title, "1/s"),
                series);
    }

    private static Point over(List<Course> all, ToDoubleFunction<Course> value, double x) {
        return new Figures(all.stream().mapToDouble(value).toArray()).at(x);
    }

    private Bars classes(Samples samples) {
        return bars(
                samples,
                new Caption("Pages by class", "Of those, lengthy pages read or sort much."),
                List.of(
                        StoreFigures.PICTURES,
                        StoreFigures.QUICK,
                        StoreFigures.LENGTHY,
                        StoreFigures.IN_TIME),
                List.of("pictures", "quick", "lengthy", "within TPC-W's limits"),
                Axis.linear("pages", "1/s"));
    }

    private Bars rates(Samples samples) {
        List<String> pages = BookstoreClients.pages();
        return bars(
                samples,
                new Caption("Pages by interaction", "Number of each."),
                pages.stream().map(StoreFigures::rate).toList(),
                pages,
                Axis.linear("pages", "1/s"));
    }

    private Lines responses(Samples samples) {
        var series = new ArrayList<Series>();
        List<String> pages = BookstoreClients.pages();
        for (Scenario scenario : samples.scenarios()) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < pages.size(); i++) {
                points.add(samples.figures(scenario, StoreFigures.mean(pages.get(i))).at(i + 1));
            }
            series.add(new Series(scenario.contender(), points));
        }
        return Lines.of(
                new Caption(
                        "Response time by interaction",
                        "The mean; 1 to 14 are the interactions of the tables below, in order."),
                Axis.linear("interaction", ""),
                Axis.log("response time", "ms"),
                series);
    }

    private static Bars bars(
            Samples samples, Caption caption, List<String> figures, List<String> names, Axis axis) {
        var series = new ArrayList<Series>();
        for (Scenario scenario : samples.scenarios()) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < figures.size(); i++) {
                points.add(samples.figures(scenario, figures.get(i)).at(i));
            }
            series.add(new Series(scenario.contender(), points));
        }
        return Bars.of(caption, names, axis, series);
    }

    /// The name of a page's figure.
    private interface Named {
        String of(String page);
    }

    private static Table byPage(Samples samples, Named figure, int digits) {
        List<Scenario> scenarios = samples.scenarios();
        var head = new ArrayList<String>(List.of("interaction"));
        scenarios.forEach(scenario -> head.add(scenario.contender()));
        var table = new Table(head.toArray(new String[0]));
        for (String page : BookstoreClients.pages()) {
            var row = new ArrayList<String>(List.of(page));
            for (Scenario scenario : scenarios) {
                row.add(samples.figures(scenario, figure.of(page)).show(digits));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }

    private static Table limits(Samples samples) {
        List<Scenario> scenarios = samples.scenarios();
        var head = new ArrayList<String>(List.of("interaction", "limit"));
        scenarios.forEach(scenario -> head.add(scenario.contender()));
        var table = new Table(head.toArray(new String[0]));
        for (String page : BookstoreClients.pages()) {
            int limit = BookstoreClients.limitSeconds(page);
            var row = new ArrayList<String>(List.of(page, Integer.toString(limit)));
            for (Scenario scenario : scenarios) {
                double found = samples.median(scenario, StoreFigures.p90(page));
                row.add(Figures.show(found, 2) + (found > limit ? " over" : ""));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }

    /// What is drawn over time.
    private enum Kind {
        ALL("all pages", StoreFigures::isPage),
        STATIC("pictures", StoreFigures::isPicture),
        QUICK("quick pages", StoreFigures::isQuick),
        LENGTHY("lengthy pages", StoreFigures::isLengthy);

        private final String title;
        private final Predicate<String> pages;

        Kind(String title, Predicate<String> pages) {
            this.title = title;
            this.pages = pages;
        }
    }

    /// A measurement over time.
    ///
    /// @param completed in each part, by kind
    /// @param inProgress at each moment, by kind
    private record Course(
            double seconds, Map<Kind, int[]> completed, Map<Kind, List<Integer>> inProgress) {
        static Course of(StoreLoad.Result measurement) {
            int parts = parts(measurement.seconds());
            var completed = new EnumMap<Kind, int[]>(Kind.class);
            var inProgress = new EnumMap<Kind, List<Integer>>(Kind.class);
            PageLog log = measurement.log();
            for (Kind kind : Kind.values()) {
                long from = measurement.from();
                long to = measurement.to();
                completed.put(kind, log.completedEach(kind.pages, from, to, parts));
                inProgress.put(kind, log.inProgress(kind.pages, from, to, MOMENTS));
            }
            return new Course(measurement.seconds(), completed, inProgress);
        }

        private double rate(Kind kind, int part) {
            int[] counts = completed.getOrDefault(kind, new int[0]);
            int at = Math.min(part, counts.length - 1); // lengths differ by milliseconds
            return at < 0 ? 0 : counts[at] * counts.length / seconds;
        }

        private double waiting(Kind kind, int moment) {
            return inProgress.getOrDefault(kind, List.of()).get(moment);
        }
    }

    /// Returns into how many parts a measurement is divided: of a minute each if there are at least
    /// twelve.
    static int parts(double seconds) {
        return Math.max(PARTS, (int) Math.round(seconds / MINUTE));
    }
}
