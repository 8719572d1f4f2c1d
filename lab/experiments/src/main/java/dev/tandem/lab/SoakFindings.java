package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.SoakSeries.Figure;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a soak has found: growths, charts, and the numbers of what happened.
///
/// @param warmSeconds readings within do not count
/// @param counts of what happened, by their names
record SoakFindings(
        SoakTallies tallies, SoakSeries series, double warmSeconds, Map<String, Double> counts) {

    private static final String LOG_MIB = "access logs together, at most (MiB)";
    private static final String ROTATIONS = "rotations of the access log";
    private static final String RELOADS = "reloads, each with another certificate";
    private static final String SHARE = "share of one processor used by server and target";

    /// @param reloads of the configuration
    /// @param share of one processor that server and target used
    static Map<String, Double> counts(SoakLog log, int reloads, double share) {
        return Map.of(
                LOG_MIB,
                log.bytesMax() / 1_048_576.0,
                ROTATIONS,
                (double) log.rotations(),
                RELOADS,
                (double) reloads,
                SHARE,
                share);
    }

    Findings findings() {
        var findings =
                new Findings(
                        "Soak",
                        "Does a server that is loaded by all kinds of clients for hours grow, slow"
                                + " down, or respond wrongly?");
        findings.headline(headline());
        for (Figure figure : series.figures()) {
            String unit = figure.unit;
            findings.chart(
                    Lines.of(
                            new Caption(
                                    figure.title, "Readings; those of the first part are warm-up."),
                            Axis.linear("time", "min"),
                            Axis.linear(figure.title, unit),
                            series.lines(figure)));
        }
        return findings.table("Growth per hour", growth())
                .table("Clients", tallies.table())
                .note(
                        "Growth: least squares through the means of up to 20 blocks of readings,"
                                + " with the 95 % confidence interval by Student's distribution."
                                + " The first "
                                + Figures.show(warmSeconds / 60, 1)
                                + " minutes do not count.")
                .note(
                        "Live heap is what is reachable after a full collection; memory outside of"
                                + " the heap is that allocated by Java code, as the JVM counts it.")
                .data("runs", tallies.runs())
                .data("failures", tallies.failures())
                .data("readings", series.asMap());
    }

    List<Headline> headline() {
        var lines = new ArrayList<Headline>();
        lines.add(new Headline("failed runs", tallies.failed(), "", Goal.atMost(0)));
        for (Figure figure : series.figures()) {
            for (String subject : series.subjects(figure)) {
                Slope slope = series.slope(figure, subject, warmSeconds);
                lines.add(
                        new Headline(
                                "growth per hour: " + figure.title + ", " + subject,
                                slope.certain(),
                                figure.unit,
                                Goal.atMost(bound(figure, slope))));
            }
        }
        lines.add(count(ROTATIONS, Goal.atLeast(1)));
        lines.add(count(LOG_MIB, Goal.atMost(SoakSite.LOG_MIB_MAX)));
        lines.add(count(RELOADS, Goal.atLeast(1)));
        lines.add(new Headline("runs", tallies.runs(), "", null));
        lines.add(new Headline(SHARE, counts.getOrDefault(SHARE, Double.NaN), "", null));
        return lines;
    }

    private Headline count(String name, Goal goal) {
        return new Headline(name, counts.getOrDefault(name, Double.NaN), "", goal);
    }

    private static double bound(Figure figure, Slope slope) {
        return figure.bound > 0 ? figure.bound : Figure.RELATIVE_BOUND * slope.mean();
    }

    private Table growth() {
        var table =
                new Table(
                        "figure",
                        "of",
                        "mean",
                        "unit",
                        "per hour",
                        "95 % from",
                        "to",
                        "accepted",
                        "verdict");
        for (Figure figure : series.figures()) {
            for (String subject : series.subjects(figure)) {
                Slope slope = series.slope(figure, subject, warmSeconds);
                double bound = bound(figure, slope);
                table.row(
                        figure.title,
                        subject,
                        show(slope.mean()),
                        figure.unit,
                        show(slope.perHour()),
                        show(slope.low()),
                        show(slope.high()),
                        show(bound),
                        slope.verdict(bound).words);
            }
        }
        return table;
    }

    private static String show(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        return Figures.show(value, Math.abs(value) < 10 ? 3 : 1);
    }
}
