package dev.tandem.lab;

import dev.tandem.lab.FleetProxy.Way;
import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What was found about a fleet. Confined to one thread.
final class FleetFindings {
    /// Of three times one instance's peak, and of what is left of a fleet.
    private static final double GOODPUT_GOAL = 0.95;

    private static final double P99_GOAL = 2;

    /// A share is within a tenth of that of the capacity.
    private static final double SHARE_LEAST = 0.9;

    private static final double SHARE_MOST = 1.1;
    private static final double RESUMED_GOAL = 0.95;

    private final List<Headline> headline = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final Map<Way, List<Overload>> overloads = new LinkedHashMap<>();
    private final Map<Way, Double> completed = new LinkedHashMap<>();
    private final Map<Way, Map<Double, Double>> shares = new LinkedHashMap<>();
    private final Map<String, Object> watched = new LinkedHashMap<>();
    private final Table table = new Table("scenario", "condition", "result");

    private record Overload(double sessions, double p99) {}

    void row(String scenario, String condition, String result) {
        table.row(scenario, condition, result);
    }

    /// Adds what was recorded of instances under a heading.
    void watched(String name, List<FleetWatch.Sample> samples) {
        watched.put(name, samples.stream().map(FleetWatch.Sample::row).toList());
    }

    void peak(double sessions) {
        headline.add(new Headline("one instance's peak", sessions, "sessions/s", null));
    }

    /// Adds one measurement of a way in an overload.
    void overloaded(Way way, double sessions, double p99) {
        overloads.computeIfAbsent(way, _ -> new ArrayList<>()).add(new Overload(sessions, p99));
    }

    /// Adds the medians of a way's measurements.
    void overload(Way way, double capacity) {
        List<Overload> all = overloads.getOrDefault(way, List.of());
        double sessions =
                new Figures(all.stream().mapToDouble(Overload::sessions).toArray()).median();
        Goal goal = way == Way.AGENT ? Goal.atLeast(GOODPUT_GOAL) : null;
        headline.add(
                new Headline(
                        "completed sessions in overload, " + way.label,
                        sessions / capacity,
                        "of three peaks",
                        goal));
        double p99 = new Figures(all.stream().mapToDouble(Overload::p99).toArray()).median();
        headline.add(new Headline("p99 in overload, " + way.label, p99, "ms", null));
        completed.put(way, sessions);
    }

    /// An instance's share of the responses.
    ///
    /// @param fair by what it can do with half its processors, as it was measured
    record Share(double before, double after, double fair) {}

    void slow(Way way, Share share, Map<Double, Double> course) {
        String name = "share of the slow one after 5 s, " + way.label;
        headline.add(new Headline(name, share.after, "of responses", null));
        double part = share.after / share.fair;
        Goal most = way == Way.AGENT ? Goal.atMost(SHARE_MOST) : null;
        headline.add(new Headline(name + ", to what it can do", part, "times", most));
        if (way == Way.AGENT) {
            Goal least = Goal.atLeast(SHARE_LEAST);
            headline.add(new Headline(name + ", least", part, "times", least));
        }
        headline.add(new Headline("its part of what all can do", share.fair, "", null));
        headline.add(
                new Headline("its share before, " + way.label, share.before, "of responses", null));
        shares.put(way, course);
    }

    void slowGoodput(Way way, double part) {
        headline.add(
                new Headline(
                        "completed sessions with a slow one, " + way.label,
                        part,
                        "of those that began",
                        way == Way.AGENT ? Goal.atLeast(GOODPUT_GOAL) : null));
    }

    void restart(long errors, long sessions, double p99Ratio) {
        headline.add(new Headline("lost requests in a restart", errors, "", Goal.atMost(0)));
        headline.add(new Headline("lost sessions in a restart", sessions, "", Goal.atMost(0)));
        headline.add(new Headline("p99 in a restart", p99Ratio, "times", Goal.atMost(P99_GOAL)));
    }

    void kill(long errors, long sessions, long wrong, double inFlight) {
        headline.add(new Headline("lost requests after a kill", errors, "", null));
        headline.add(new Headline("mean requests in flight there", inFlight, "", null));
        headline.add(
                new Headline(
                        "lost sessions after a kill, for each lost request",
                        errors == 0 ? 0 : (double) sessions / errors,
                        "",
                        Goal.atMost(1)));
        headline.add(new Headline("wrong pages after a kill", wrong, "", Goal.atMost(0)));
    }

    void join(double p99Ratio) {
        headline.add(
                new Headline("p99 of a cold instance", p99Ratio, "times", Goal.atMost(P99_GOAL)));
    }

    void scale(int budget, Map<Double, Double> counts) {
        double most = counts.values().stream().mapToDouble(d -> d).max().orElse(Double.NaN);
        headline.add(new Headline("database connections at most", most, "", Goal.atMost(budget)));
        charts.add(
                Lines.of(
                        new Caption(
                                "Connections to the database",
                                "Of all instances, of which there are three, then five."),
                        Axis.linear("time", "s"),
                        Axis.linear("connections", ""),
                        List.of(series("connections", counts))));
    }

    void resumed(double fleet, double one) {
        headline.add(new Headline("resumed handshakes, one instance", one, "of all", null));
        headline.add(
                new Headline(
                        "resumed handshakes, three, to one",
                        fleet / one,
                        "times",
                        Goal.atLeast(RESUMED_GOAL)));
    }

    private static Series series(String name, Map<Double, Double> course) {
        var points = new ArrayList<Point>();
        course.forEach((x, y) -> points.add(Point.of(x, y)));
        return new Series(name, points);
    }

    Findings all() {
        var all =
                new Findings(
                        "A fleet behind HAProxy",
                        "What do clients notice when instances are overloaded, slow, restarted,"
                                + " killed or new?");
        all.headline(headline);
        if (!completed.isEmpty()) {
            all.chart(
                    Bars.of(
                            new Caption("Completed sessions in overload", "Higher is better."),
                            completed.keySet().stream().map(way -> way.label).toList(),
                            Axis.linear("completed sessions", "1/s"),
                            List.of(
                                    Series.ofBars(
                                            "completed",
                                            completed.values().stream()
                                                    .mapToDouble(d -> d)
                                                    .toArray()))));
        }
        if (!shares.isEmpty()) {
            var lines = new ArrayList<Series>();
            shares.forEach((way, course) -> lines.add(series(way.label, course)));
            all.chart(
                    Lines.of(
                            new Caption(
                                    "Share of one instance, with half its processors from 0 s",
                                    "0.2 would be by processors alone."),
                            Axis.linear("time", "s"),
                            Axis.linear("share of responses", ""),
                            lines));
        }
        charts.forEach(all::chart);
        return all.table("All figures", table)
                .note(
                        "Instances start with a whole processor, which is limited when they are"
                            + " ready, and have the first of the JVM's two compilers only. Load,"
                            + " balancer, database and store share the machine with them.")
                .note(
                        "Times are the balancer's, with its queue. Lost requests are all that a"
                                + " client counts as failed; it repeats none.")
                .data("shares", new LinkedHashMap<>(text(shares)))
                .data("watchColumns", FleetWatch.COLUMNS)
                .data("watch", new LinkedHashMap<>(watched));
    }

    private static Map<String, Object> text(Map<Way, Map<Double, Double>> courses) {
        var text = new LinkedHashMap<String, Object>();
        courses.forEach(
                (way, course) -> {
                    var points = new LinkedHashMap<String, Object>();
                    course.forEach((x, y) -> points.put("" + x, y));
                    text.put(way.label, points);
                });
        return text;
    }
}
