package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `dynamic` and `secure` find.
///
/// @param names of the contenders, ours first
/// @param saturation of Tandem, in sessions a second
/// @param isSecure whether they speak TLS
/// @param note what a reader must know
/// @param explained what ours acted on at the end of each take, by its rate; grows
record AuctionFindings(
        List<String> names,
        double saturation,
        boolean isSecure,
        String note,
        Map<String, @Nullable Object> explained) {
    private static final double LEAD_GOAL = 1.5;

    /// A take sees some hundred sessions: their mean length is that uncertain.
    private static final double LIFE_GOAL = 0.9;

    private static final double FACTOR_GOAL = 1.5;

    Findings of(Samples samples) {
        String how = isSecure ? "over TLS" : "in plain";
        var findings =
                new Findings(
                        isSecure ? "The auction over TLS" : "The auction under load",
                        "How many of RUBiS' visitors get all that they came for, "
                                + how
                                + ", when"
                                + " more come than can be served? The database is a process of its"
                                + " own.");
        findings.headline(headline(samples))
                .chart(chart(samples, "Good replies", Play.GOOD, "1/s"))
                .chart(chart(samples, "Completed sessions", Play.SESSIONS, "1/s"))
                .chart(lives(samples))
                .chart(chart(samples, "Time-outs of clients", Play.TIME_OUTS, "1/s"))
                .chart(chart(samples, "Response time in the mean", Play.RESPONSE, "ms"));
        if (isSecure) {
            findings.chart(chart(samples, "Full handshakes", Play.FULL, "1/s"))
                    .chart(chart(samples, "Resumed handshakes", Play.RESUMED, "1/s"));
        }
        return findings.table(
                        "All figures",
                        samples.table(
                                Play.SESSIONS,
                                Play.GOOD,
                                AuctionExperiment.MEANT,
                                AuctionExperiment.OFFERED,
                                Play.LIFE,
                                Play.RESPONSE,
                                Play.RESPONSE_P99,
                                Play.REFUSED,
                                Play.TIME_OUTS,
                                Play.CUT,
                                Play.WRONG,
                                Play.SERVER,
                                AuctionExperiment.DATABASE,
                                Play.GENERATOR,
                                Play.CONNECTIONS))
                .note(note)
                .note(
                        "Lifetimes are what completed visitors meant to stay: their think times, no"
                                + " answer's. What is offered is the same of all who would have"
                                + " ended in the take, had no answer taken any time.")
                .data("saturation", saturation)
                .data("explained", explained)
                .data("takes", samples.asList());
    }

    private List<Headline> headline(Samples samples) {
        String ours = AuctionExperiment.TANDEM;
        double rate = rates(samples, ours).getLast();
        double completed = at(samples, ours, rate, Play.SESSIONS);
        double best = Double.NaN;
        for (String name : names) {
            double its = at(samples, name, rate, Play.SESSIONS);
            best = name.equals(ours) ? best : Double.isNaN(best) ? its : Math.max(best, its);
        }
        var lines = new ArrayList<Headline>();
        String where = "at " + Figures.show(rate / saturation, 1) + " times saturation";
        lines.add(new Headline("completed sessions " + where, completed, "1/s", null));
        lines.add(
                new Headline(
                        "completed sessions " + where + ", times the best rival's",
                        completed / best,
                        "",
                        Goal.atLeast(LEAD_GOAL)));
        lines.add(
                new Headline(
                        "lifetimes of completed sessions " + where + ", of those offered",
                        at(samples, ours, rate, AuctionExperiment.MEANT)
                                / at(samples, ours, rate, AuctionExperiment.OFFERED),
                        "",
                        Goal.atLeast(LIFE_GOAL)));
        lines.add(most(samples, "time-outs of Tandem's clients, at most", Play.TIME_OUTS));
        lines.add(most(samples, "connections that Tandem cut, at most", Play.CUT));
        lines.add(most(samples, "replies of Tandem that were not what they should be", Play.WRONG));
        if (isSecure) {
            names.forEach(name -> lines.add(factor(samples, name, rate)));
        }
        return lines;
    }

    private static Headline most(Samples samples, String title, String figure) {
        double most = 0;
        for (double rate : rates(samples, AuctionExperiment.TANDEM)) {
            most = Math.max(most, at(samples, AuctionExperiment.TANDEM, rate, figure));
        }
        return new Headline(title, most, "1/s", Goal.atMost(0));
    }

    /// What the same server does without TLS, at the same rate of visitors.
    private static Headline factor(Samples samples, String name, double rate) {
        double plain = at(samples, name + AuctionExperiment.PLAIN, rate, Play.GOOD);
        boolean isOurs = name.equals(AuctionExperiment.TANDEM);
        return new Headline(
                "good replies of " + name + " in plain, times those over TLS",
                plain / at(samples, name, rate, Play.GOOD),
                "",
                isOurs ? Goal.atMost(FACTOR_GOAL) : null);
    }

    private static List<Double> rates(Samples samples, String name) {
        List<Double> rates = samples.values(name, Sweep.RATE);
        return rates.isEmpty() ? List.of(Double.NaN) : rates;
    }

    private static double at(Samples samples, String name, double rate, String figure) {
        return samples.median(Cell.of(name, Sweep.RATE, rate), figure);
    }

    private Lines chart(Samples samples, String title, String figure, String unit) {
        return Lines.of(
                new Caption(title, "Over the sessions that begin."),
                Axis.linear("new sessions", "1/s"),
                Axis.linear(title.toLowerCase(Locale.ROOT), unit),
                series(samples, figure));
    }

    private List<Series> series(Samples samples, String figure) {
        return names.stream().map(name -> samples.line(name, Sweep.RATE, figure)).toList();
    }

    private Lines lives(Samples samples) {
        var series = new ArrayList<>(series(samples, AuctionExperiment.MEANT));
        String ours = AuctionExperiment.TANDEM;
        Series offered = samples.line(ours, Sweep.RATE, AuctionExperiment.OFFERED);
        series.add(new Series("offered", offered.points()));
        return Lines.of(
                new Caption(
                        "Lifetimes of completed sessions",
                        "Where they fall below those offered, who stays for long does not get to"
                                + " the end."),
                Axis.linear("new sessions", "1/s"),
                Axis.linear("lifetime as meant", "s"),
                series);
    }
}
