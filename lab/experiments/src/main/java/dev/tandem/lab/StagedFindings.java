package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.shops.BookstoreVisitors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The report of the staged bookstore: charts as the paper's figures 8 to 10, and its table 4.
final class StagedFindings {
    private static final String USUAL = StoreWay.THREADS.label();
    private static final String OURS = StoreWay.TANDEM.label();
    private static final double THROUGHPUT_GOAL = 1.5;
    private static final double RESPONSE_GOAL = 100;
    private static final double WORST_GOAL = 0.95;

    /// Pages of which so few came in a take tell nothing of their rate.
    private static final double FEW = 100;

    /// Points of a line over time.
    private static final int MOMENTS = 60;

    private final Map<String, StoreLoad.Take> lastTakes = new LinkedHashMap<>();
    private String explanation = "";
    private Map<String, Double> capacities = Map.of();
    private double times;
    private int visitors;

    /// @param capacities pages a second of each, with visitors who do not think
    void load(Map<String, Double> capacities, double times, int visitors) {
        this.capacities = Map.copyOf(capacities);
        this.times = times;
        this.visitors = visitors;
    }

    void took(String name, StoreLoad.Take take) {
        lastTakes.put(name, take);
    }

    /// What our server acted on at the end of a take.
    void explained(String text) {
        explanation = text;
    }

    Findings of(Samples samples) {
        return new Findings(
                        "Data, then view",
                        "A shop's pages are made of a database's rows and a template. How many"
                                + " come, and how soon, if a request holds its connection only"
                                + " while it makes its data, and quick pages are kept apart from"
                                + " lengthy ones?")
                .headline(headline(samples))
                .chart(underWay("quick", StoreFigures::isQuick))
                .chart(underWay("lengthy", StoreFigures::isLengthy))
                .chart(classes(samples))
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
                                StoreFigures.REFUSED,
                                StoreFigures.FAILED,
                                StoreFigures.HELD,
                                StoreFigures.SERVER,
                                StoreFigures.COST,
                                StoreFigures.GENERATOR))
                .table("Pages a second", byPage(samples, StoreFigures::rate, 2))
                .table("Mean response time, ms", byPage(samples, StoreFigures::mean, 1))
                .table("90th percentile against TPC-W's limit, s", limits(samples))
                .note(
                        "%d visitors: %.2f times what %s serves, %.0f pages/s."
                                .formatted(
                                        visitors,
                                        times,
                                        USUAL,
                                        capacities.getOrDefault(USUAL, Double.NaN)))
                .data("capacities", new LinkedHashMap<String, @Nullable Object>(capacities))
                .data("visitors", (long) visitors)
                .data("explained", explanation.lines().toList())
                .data("takes", samples.asList());
    }

    private static double figure(Samples samples, String who, String figure) {
        return samples.median(Cell.of(who), figure);
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
                        "the page that fares worst: its rate, of " + USUAL + "'s",
                        worst(samples),
                        "",
                        Goal.atLeast(WORST_GOAL)),
                new Headline(
                        "connections held while a page is rendered",
                        figure(samples, OURS, StoreFigures.HELD),
                        "",
                        Goal.atMost(0)));
    }

    /// Of pages that came often enough to tell.
    private double worst(Samples samples) {
        StoreLoad.Take take = lastTakes.get(USUAL);
        double seconds = take == null ? 1 : take.seconds();
        double worst = Double.NaN;
        for (String page : BookstoreVisitors.pages()) {
            String rate = StoreFigures.rate(page);
            double usual = figure(samples, USUAL, rate);
            if (usual * seconds >= FEW) {
                double ratio = figure(samples, OURS, rate) / usual;
                worst = Double.isNaN(worst) ? ratio : Math.min(worst, ratio);
            }
        }
        return worst;
    }

    private Lines underWay(String title, Predicate<String> of) {
        var series = new ArrayList<Series>();
        lastTakes.forEach(
                (name, take) -> {
                    List<Integer> counts = take.log().underWay(of, take.from(), take.to(), MOMENTS);
                    var points = new ArrayList<Point>();
                    for (int i = 0; i < MOMENTS; i++) {
                        points.add(Point.of(take.seconds() * i / MOMENTS, counts.get(i)));
                    }
                    series.add(new Series(name, points));
                });
        return Lines.of(
                new Caption(
                        "Visitors who wait for " + title + " pages",
                        "Pages asked for and not answered yet: the queue, and what is served."),
                Axis.linear("time", "s"),
                Axis.linear("pages under way", ""),
                series);
    }

    private Bars classes(Samples samples) {
        return bars(
                samples,
                new Caption("Pages by class", "Of those, lengthy pages read or sort much."),
                List.of(StoreFigures.QUICK, StoreFigures.LENGTHY, StoreFigures.IN_TIME),
                List.of("quick", "lengthy", "within TPC-W's limits"),
                Axis.linear("pages", "1/s"));
    }

    private Bars rates(Samples samples) {
        List<String> pages = BookstoreVisitors.pages();
        return bars(
                samples,
                new Caption("Pages by interaction", "How many of each came."),
                pages.stream().map(StoreFigures::rate).toList(),
                pages,
                Axis.linear("pages", "1/s"));
    }

    private Lines responses(Samples samples) {
        var series = new ArrayList<Series>();
        List<String> pages = BookstoreVisitors.pages();
        for (Cell cell : samples.cells()) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < pages.size(); i++) {
                points.add(samples.figures(cell, StoreFigures.mean(pages.get(i))).at(i + 1));
            }
            series.add(new Series(cell.contender(), points));
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
        for (Cell cell : samples.cells()) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < figures.size(); i++) {
                points.add(samples.figures(cell, figures.get(i)).at(i));
            }
            series.add(new Series(cell.contender(), points));
        }
        return Bars.of(caption, names, axis, series);
    }

    /// The name of a page's figure.
    private interface Named {
        String of(String page);
    }

    private static Table byPage(Samples samples, Named figure, int digits) {
        List<Cell> cells = samples.cells();
        var head = new ArrayList<String>(List.of("interaction"));
        cells.forEach(cell -> head.add(cell.contender()));
        var table = new Table(head.toArray(new String[0]));
        for (String page : BookstoreVisitors.pages()) {
            var row = new ArrayList<String>(List.of(page));
            for (Cell cell : cells) {
                row.add(samples.figures(cell, figure.of(page)).show(digits));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }

    private static Table limits(Samples samples) {
        List<Cell> cells = samples.cells();
        var head = new ArrayList<String>(List.of("interaction", "limit"));
        cells.forEach(cell -> head.add(cell.contender()));
        var table = new Table(head.toArray(new String[0]));
        for (String page : BookstoreVisitors.pages()) {
            int limit = BookstoreVisitors.limitSeconds(page);
            var row = new ArrayList<String>(List.of(page, Integer.toString(limit)));
            for (Cell cell : cells) {
                double found = samples.median(cell, StoreFigures.p90(page));
                row.add(Figures.show(found, 2) + (found > limit ? " over" : ""));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }
}
