package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Numbers;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.shops.SpecwebClients.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Findings of `specweb`. Immutable.
///
/// @param note what a reader must know
record SpecwebFindings(List<Site> sites, String note) {
    private static final String[] TABLE = {
        SpecwebLoad.PAGES,
        SpecwebLoad.GOOD,
        SpecwebLoad.TOLERABLE,
        AppliedLoad.REPLIES,
        AppliedLoad.MEGABYTES,
        AppliedLoad.RESPONSE,
        AppliedLoad.RESPONSE_P99,
        AppliedLoad.REJECTED,
        AppliedLoad.TIME_OUTS,
        AppliedLoad.CLOSED_BY_SERVER,
        AppliedLoad.WRONG,
        AppliedLoad.CLOSED,
        AppliedLoad.FULL,
        AppliedLoad.RESUMED,
        AppliedLoad.SERVER,
        AppliedLoad.GENERATOR,
        AppliedLoad.CONNECTIONS
    };

    private static final Drawn PAGES = new Drawn("Good pages", SpecwebLoad.PAGES, "1/s");
    private static final Drawn RESPONSE = new Drawn("Response time", AppliedLoad.RESPONSE, "ms");
    private static final Drawn PROCESSORS = new Drawn("Processors used", AppliedLoad.SERVER, "");

    private static final Drawn GOOD = new Drawn("Share of good pages", SpecwebLoad.GOOD, "");

    /// The benchmark's criteria for a load that a server sustains.
    private static final double GOOD_LEAST = 0.95;

    private static final double TOLERABLE_LEAST = 0.99;

    private static final Drawn DISK = new Drawn("Read from the disk", SpecwebLoad.DISK, "MB/s");

    private static final Drawn ERRORS = new Drawn("Errors", AppliedLoad.FAILED, "1/s");

    /// A figure and its title in a chart.
    private record Drawn(String title, String figure, String unit) {}

    /// The advantage of Beltran's hybrid over the best multi-threaded configuration, at its peak.
    private static double goal(Site site) {
        return switch (site) {
            case BANKING -> 1.5;
            case ECOMMERCE -> 1.3;
            case SUPPORT -> 1;
        };
    }

    /// The configuration of the rival with the most good pages; if several have as many, the
    /// cheapest.
    static Scenario best(Samples sweep, Site site) {
        String swept = SpecwebExperiment.name(SpecwebExperiment.SWEPT, site);
        return sweep.scenarios().stream()
                .filter(scenario -> scenario.contender().equals(swept))
                .max(
                        Comparator.comparingDouble(
                                        (Scenario scenario) ->
                                                orLeast(sweep, scenario, SpecwebLoad.PAGES))
                                .thenComparingDouble(
                                        scenario -> -orLeast(sweep, scenario, AppliedLoad.SERVER)))
                .orElseThrow(() -> new IllegalStateException("nothing was measured in the sweep"));
    }

    private static double orLeast(Samples samples, Scenario scenario, String figure) {
        double value = samples.median(scenario, figure);
        return Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
    }

    private static Findings begun() {
        return new Findings(
                "A bank, a shop and support",
                "SPECweb2005's clients: what must be tuned for a server with a thread for each"
                    + " connection, and how does its best configuration compare? A page counts if"
                    + " it is complete, in the benchmark's time.");
    }

    Findings ofSweep(Samples sweep) {
        var findings = begun();
        sites.forEach(site -> maps(findings, sweep, site));
        return findings.table("The rival's configurations", sweep.table(TABLE))
                .note(note)
                .data("swept", sweep.asList());
    }

    Findings of(Samples sweep, Samples compared, List<String> names) {
        var findings = begun();
        var lines = new ArrayList<Headline>();
        for (Site site : sites) {
            lines.addAll(headline(compared, site));
        }
        lines.addAll(failures(compared));
        findings.headline(lines);
        for (Site site : sites) {
            findings.chart(lines(compared, names, site, PAGES))
                    .chart(lines(compared, names, site, RESPONSE))
                    .chart(lines(compared, names, site, PROCESSORS))
                    .chart(lines(compared, names, site, GOOD));
            maps(findings, sweep, site);
        }
        findings.table("Most clients within SPECweb's criteria", most(compared, names));
        if (hasDisk(compared)) {
            for (Site site : sites) {
                findings.chart(lines(compared, names, site, DISK));
            }
            findings.table("The disk", compared.table(SpecwebLoad.DISK, AppliedLoad.MEGABYTES));
        }
        return findings.table("All figures", compared.table(TABLE))
                .table("The rival's configurations", sweep.table(TABLE))
                .note(note)
                .note(
                        "The rival has its best configuration of the sweep, for each site"
                                + " separately.")
                .data("measurements", compared.asList())
                .data("swept", sweep.asList());
    }

    private static List<Headline> headline(Samples samples, Site site) {
        String of = site.name().toLowerCase(Locale.ROOT);
        Scenario ours = peak(samples, SpecwebExperiment.name(SpecwebExperiment.TANDEM, site));
        Scenario theirs = peak(samples, SpecwebExperiment.name(SpecwebExperiment.THREADED, site));
        var lines = new ArrayList<Headline>();
        double pages = samples.median(ours, SpecwebLoad.PAGES);
        lines.add(new Headline("peak of " + of, pages, "good pages/s", null));
        lines.add(
                new Headline(
                        "peak of " + of + ", times the best multi-threaded one's",
                        pages / samples.median(theirs, SpecwebLoad.PAGES),
                        "",
                        Goal.atLeast(goal(site))));
        if (site == Site.SUPPORT) {
            lines.add(
                    new Headline(
                            "processors for " + of + " at its peak, of the multi-threaded one's",
                            samples.median(ours, AppliedLoad.SERVER)
                                    / samples.median(theirs, AppliedLoad.SERVER),
                            "",
                            Goal.atMost(1)));
        }
        return lines;
    }

    private static boolean hasDisk(Samples samples) {
        return samples.scenarios().stream()
                .anyMatch(one -> !Double.isNaN(samples.median(one, SpecwebLoad.DISK)));
    }

    /// The largest measured loads of which 95 % of the pages were good, and 99 % tolerable.
    private Table most(Samples samples, List<String> names) {
        var head = new ArrayList<String>(List.of("contender"));
        sites.forEach(site -> head.add(site.name().toLowerCase(Locale.ROOT)));
        var table = new Table(head.toArray(new String[0]));
        for (String name : names) {
            var row = new ArrayList<String>(List.of(name));
            for (Site site : sites) {
                double most = mostClients(samples, SpecwebExperiment.name(name, site));
                row.add(Figures.show(most, 0));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }

    /// @return NaN if no load was within the criteria
    static double mostClients(Samples samples, String contender) {
        return samples.scenarios().stream()
                .filter(scenario -> scenario.contender().equals(contender))
                .filter(one -> samples.median(one, SpecwebLoad.GOOD) >= GOOD_LEAST)
                .filter(one -> samples.median(one, SpecwebLoad.TOLERABLE) >= TOLERABLE_LEAST)
                .mapToDouble(one -> one.at(SpecwebExperiment.CLIENTS))
                .max()
                .orElse(Double.NaN);
    }

    private static Scenario peak(Samples samples, String contender) {
        return samples.scenarios().stream()
                .filter(scenario -> scenario.contender().equals(contender))
                .max(
                        Comparator.comparingDouble(
                                scenario -> orLeast(samples, scenario, SpecwebLoad.PAGES)))
                .orElse(Scenario.of(contender));
    }

    /// Over all sites and loads.
    private static List<Headline> failures(Samples samples) {
        var lines = new ArrayList<Headline>();
        for (String figure :
                List.of(AppliedLoad.TIME_OUTS, AppliedLoad.CLOSED_BY_SERVER, AppliedLoad.WRONG)) {
            double most = 0;
            for (Scenario scenario : samples.scenarios()) {
                if (scenario.contender().startsWith(SpecwebExperiment.TANDEM + ",")) {
                    most = Math.max(most, orLeast(samples, scenario, figure));
                }
            }
            lines.add(new Headline("Tandem's " + figure + ", at most", most, "", Goal.atMost(0)));
        }
        return lines;
    }

    private static Lines lines(Samples samples, List<String> names, Site site, Drawn drawn) {
        String of = site.name().toLowerCase(Locale.ROOT);
        return Lines.of(
                new Caption(drawn.title + ": " + of, "By the number of concurrent clients."),
                Axis.linear("clients", ""),
                Axis.linear(drawn.title.toLowerCase(Locale.ROOT), drawn.unit),
                names.stream()
                        .map(name -> SpecwebExperiment.name(name, site))
                        .map(name -> samples.line(name, SpecwebExperiment.CLIENTS, drawn.figure))
                        .toList());
    }

    /// The rival over its threads and time-outs: as the thesis has them, four for each site.
    private static void maps(Findings findings, Samples sweep, Site site) {
        for (Drawn drawn : List.of(PAGES, RESPONSE, ERRORS)) {
            findings.chart(map(sweep, site, drawn));
        }
        findings.chart(byResponse(sweep, site));
    }

    private static Chart map(Samples sweep, Site site, Drawn drawn) {
        String swept = SpecwebExperiment.name(SpecwebExperiment.SWEPT, site);
        String threads = SpecwebExperiment.THREADS;
        String keepAlive = SpecwebExperiment.KEEP_ALIVE;
        return new HeatMap(
                new Caption(
                        drawn.title
                                + " of the multi-threaded rival: "
                                + site.name().toLowerCase(Locale.ROOT),
                        "By the parameters that a user must choose."),
                "threads",
                "keep-alive time-out (s)",
                sweep.values(swept, threads).stream().map(Numbers::show).toList(),
                sweep.values(swept, keepAlive).stream().map(Numbers::show).toList(),
                Axis.linear(drawn.title.toLowerCase(Locale.ROOT), drawn.unit),
                sweep.grid(swept, threads, keepAlive, drawn.figure));
    }

    /// A point for each configuration: fast ones with many pages are at the top left.
    private static Chart byResponse(Samples sweep, Site site) {
        String swept = SpecwebExperiment.name(SpecwebExperiment.SWEPT, site);
        var series = new ArrayList<Series>();
        for (double threads : sweep.values(swept, SpecwebExperiment.THREADS)) {
            List<Point> points =
                    sweep.scenarios().stream()
                            .filter(
                                    scenario ->
                                            scenario.contender().equals(swept)
                                                    && scenario.at(SpecwebExperiment.THREADS)
                                                            == threads)
                            .map(
                                    scenario ->
                                            Point.of(
                                                    sweep.median(scenario, AppliedLoad.RESPONSE),
                                                    sweep.median(scenario, SpecwebLoad.PAGES)))
                            .sorted(Comparator.comparingDouble(Point::x))
                            .toList();
            series.add(new Series(Numbers.show(threads) + " threads", points));
        }
        return Lines.of(
                new Caption(
                        "Good pages by response time of the multi-threaded rival: "
                                + site.name().toLowerCase(Locale.ROOT),
                        "A point for each time-out."),
                Axis.linear("response time", "ms"),
                Axis.linear("good pages", "1/s"),
                series);
    }
}
