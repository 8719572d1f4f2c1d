package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Numbers;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Findings of `dynamic` and `secure`.
///
/// @param names of the contenders, ours first
/// @param saturation of Tandem, in sessions per second
/// @param isSecure whether clients use TLS
/// @param note what a reader must know
/// @param explained what ours acted on at the end of each measurement, by its rate; grows
record AuctionFindings(
        List<String> names,
        double saturation,
        boolean isSecure,
        String note,
        Map<String, @Nullable Object> explained) {
    private static final double LEAD_GOAL = 1.5;

    /// A measurement has some hundred sessions: this is the uncertainty of their mean length.
    private static final double LIFE_GOAL = 0.9;

    private static final double FACTOR_GOAL = 1.5;

    Findings of(Samples samples) {
        String how = isSecure ? "over TLS" : "in plain";
        var findings =
                new Findings(
                        isSecure ? "The auction over TLS" : "The auction under load",
                        "How many of RUBiS' sessions are completed, "
                                + how
                                + ", when"
                                + " the load exceeds the capacity? The database is a process of its"
                                + " own.");
        double highest = rates(samples, AuctionExperiment.TANDEM).getLast();
        findings.headline(headline(samples))
                .verdict(
                        new Winner(samples, AppliedLoad.SESSIONS)
                                .sentence(names, Sweep.RATE, highest, where(highest)))
                .doubt(
                        SaturationCheck.doubt(
                                samples,
                                AuctionExperiment.TANDEM,
                                Sweep.RATE,
                                saturation,
                                AppliedLoad.GOOD))
                .chart(chart(samples, "Good replies", AppliedLoad.GOOD, "1/s"))
                .chart(chart(samples, "Completed sessions", AppliedLoad.SESSIONS, "1/s"))
                .chart(lives(samples))
                .chart(chart(samples, "Time-outs of clients", AppliedLoad.TIME_OUTS, "1/s"))
                .chart(chart(samples, "Resets", AppliedLoad.RESETS, "1/s"))
                .chart(chart(samples, "Connection time", AppliedLoad.CONNECT, "ms"))
                .chart(chart(samples, "Mean response time", AppliedLoad.RESPONSE, "ms"));
        if (isSecure) {
            addHandshakes(findings, samples, highest);
        }
        addThreads(findings, samples);
        return findings.table(
                        "All figures",
                        samples.table(
                                AppliedLoad.SESSIONS,
                                AppliedLoad.GOOD,
                                AuctionExperiment.MEANT,
                                AuctionExperiment.OFFERED,
                                AppliedLoad.LIFE,
                                AppliedLoad.RESPONSE,
                                AppliedLoad.RESPONSE_P99,
                                AppliedLoad.REJECTED,
                                AppliedLoad.TIME_OUTS,
                                AppliedLoad.RESETS,
                                AppliedLoad.CONNECT,
                                AppliedLoad.CLOSED_BY_SERVER,
                                AppliedLoad.WRONG,
                                AppliedLoad.SERVER,
                                AuctionExperiment.DATABASE,
                                AppliedLoad.GENERATOR,
                                AppliedLoad.CONNECTIONS,
                                AppliedLoad.HANDSHAKE_SHARE,
                                AppliedLoad.FULL,
                                AppliedLoad.RESUMED,
                                AppliedLoad.FULL_SHARE,
                                ThreadStates.RUNNABLE,
                                ThreadStates.BLOCKED,
                                ThreadStates.WAITING))
                .note(note)
                .note(
                        "Lifetimes are the intended ones of completed sessions: think times, no"
                            + " response times. Offered are those of all sessions that would have"
                            + " ended in the measurement if no response took any time.")
                .data("saturation", saturation)
                .data("explained", explained)
                .data("measurements", samples.asList());
    }

    private void addHandshakes(Findings findings, Samples samples, double highest) {
        findings.chart(chart(samples, "Full handshakes", AppliedLoad.FULL, "1/s"))
                .chart(chart(samples, "Resumed handshakes", AppliedLoad.RESUMED, "1/s"))
                .chart(fullShare(samples))
                .chart(plainAgainstTls(samples, highest));
    }

    private void addThreads(Findings findings, Samples samples) {
        var charts = new PhaseCharts(samples, Sweep.RATE, "1/s");
        names.forEach(name -> findings.chart(charts.connections(name)));
        names.forEach(name -> findings.chart(charts.threads(name)));
        List<Double> threads =
                samples.values(AuctionExperiment.SEARCHED, AuctionExperiment.ITS_THREADS);
        if (!threads.isEmpty()) {
            findings.chart(map(samples, "Good replies", AppliedLoad.GOOD))
                    .chart(map(samples, "Completed sessions", AppliedLoad.SESSIONS));
        }
    }

    /// The multi-threaded rival over its threads and time-outs, at the highest rate.
    private static HeatMap map(Samples samples, String title, String figure) {
        String searched = AuctionExperiment.SEARCHED;
        String across = AuctionExperiment.ITS_KEEP_ALIVE;
        String down = AuctionExperiment.ITS_THREADS;
        return new HeatMap(
                new Caption(
                        title + " of the multi-threaded rival by threads and time-out",
                        "At the highest rate."),
                "keep-alive time-out (s)",
                "threads",
                samples.values(searched, across).stream().map(Numbers::show).toList(),
                samples.values(searched, down).stream().map(Numbers::show).toList(),
                Axis.linear(title.toLowerCase(Locale.ROOT), "1/s"),
                samples.grid(searched, across, down, figure));
    }

    private String where(double rate) {
        return "at " + Figures.show(rate / saturation, 1) + " times saturation";
    }

    private List<Headline> headline(Samples samples) {
        String ours = AuctionExperiment.TANDEM;
        double rate = rates(samples, ours).getLast();
        double completed = at(samples, ours, rate, AppliedLoad.SESSIONS);
        double best = Double.NaN;
        for (String name : names) {
            double its = at(samples, name, rate, AppliedLoad.SESSIONS);
            best = name.equals(ours) ? best : Double.isNaN(best) ? its : Math.max(best, its);
        }
        var lines = new ArrayList<Headline>();
        String where = where(rate);
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
        lines.add(most(samples, "time-outs of Tandem's clients, at most", AppliedLoad.TIME_OUTS));
        lines.add(
                most(
                        samples,
                        "connections that Tandem closed, at most",
                        AppliedLoad.CLOSED_BY_SERVER));
        lines.add(most(samples, "wrong replies of Tandem", AppliedLoad.WRONG));
        if (isSecure) {
            names.forEach(name -> lines.add(factor(samples, name, rate)));
            names.forEach(name -> lines.add(lostSessions(samples, name, rate)));
            names.forEach(
                    name ->
                            lines.add(
                                    new Headline(
                                            "full of all handshakes with " + name + " " + where,
                                            at(samples, name, rate, AppliedLoad.FULL_SHARE),
                                            "",
                                            null)));
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

    /// The figure of the same server without TLS, at the same session rate.
    private static Headline factor(Samples samples, String name, double rate) {
        double plain = at(samples, name + AuctionExperiment.PLAIN, rate, AppliedLoad.GOOD);
        boolean isOurs = name.equals(AuctionExperiment.TANDEM);
        return new Headline(
                "good replies of " + name + " in plain, times those over TLS",
                plain / at(samples, name, rate, AppliedLoad.GOOD),
                "",
                isOurs ? Goal.atMost(FACTOR_GOAL) : null);
    }

    private static Headline lostSessions(Samples samples, String name, double rate) {
        double plain = at(samples, name + AuctionExperiment.PLAIN, rate, AppliedLoad.SESSIONS);
        return new Headline(
                "completed sessions of " + name + " in plain, times those over TLS",
                plain / at(samples, name, rate, AppliedLoad.SESSIONS),
                "",
                null);
    }

    private Bars plainAgainstTls(Samples samples, double rate) {
        List<Scenario> tls =
                names.stream().map(name -> Scenario.of(name, Sweep.RATE, rate)).toList();
        List<Scenario> plain =
                names.stream()
                        .map(name -> name + AuctionExperiment.PLAIN)
                        .map(name -> Scenario.of(name, Sweep.RATE, rate))
                        .toList();
        return Bars.of(
                new Caption("Completed sessions in plain and over TLS", "At the highest rate."),
                names,
                Axis.linear("completed sessions", "1/s"),
                List.of(
                        samples.bars("plain", AppliedLoad.SESSIONS, plain),
                        samples.bars("TLS", AppliedLoad.SESSIONS, tls)));
    }

    private static List<Double> rates(Samples samples, String name) {
        List<Double> rates = samples.values(name, Sweep.RATE);
        return rates.isEmpty() ? List.of(Double.NaN) : rates;
    }

    private static double at(Samples samples, String name, double rate, String figure) {
        return samples.median(Scenario.of(name, Sweep.RATE, rate), figure);
    }

    private Lines chart(Samples samples, String title, String figure, String unit) {
        return Lines.of(
                new Caption(title, "Over the sessions that begin."),
                Axis.linear("new sessions", "1/s"),
                Axis.linear(title.toLowerCase(Locale.ROOT), unit),
                series(samples, figure));
    }

    private Lines fullShare(Samples samples) {
        return Lines.of(
                new Caption(
                        "Full of all handshakes",
                        "A session's first is full. A server that closes no connection has no"
                                + " others; where connections are closed, the share is small"
                                + " unless the sessions fail."),
                Axis.linear("new sessions", "1/s"),
                Axis.linear("full of all handshakes", ""),
                series(samples, AppliedLoad.FULL_SHARE));
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
                        "Where they fall below those offered, long sessions are not"
                                + " completed."),
                Axis.linear("new sessions", "1/s"),
                Axis.linear("intended lifetime", "s"),
                series);
    }
}
