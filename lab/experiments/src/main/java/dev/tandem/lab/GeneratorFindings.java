package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What the measurements of [GeneratorExperiment] show.
final class GeneratorFindings {
    /// Maximum difference of another generator's replies per second, as a share of ours: what
    /// repetitions of one generator differ on a quiet machine.
    private static final double DIFFERENCE_MAX = 0.05;

    /// Share of the requested connections that a generator opens while it is not at its end.
    private static final double SUSTAINED_MIN = 0.95;

    private static final String OURS = GeneratorExperiment.OURS;
    private static final String RATE = GeneratorExperiment.RATE;

    private GeneratorFindings() {}

    static Findings of(Samples samples) {
        return new Findings(
                        "The load generator at its end",
                        "How much load can the generator offer, and do other generators measure the"
                                + " same? One server, Tandem, on one processor, each"
                                + " generator with one thread on another.")
                .headline(headlines(samples))
                .chart(course(samples, OURS, "Connections, requests and replies"))
                .chart(
                        course(
                                samples,
                                GeneratorExperiment.HTTPERF,
                                "Connections, requests and replies of httperf"))
                .chart(shares(samples))
                .chart(closed(samples))
                .table(
                        "All figures",
                        samples.table(
                                AppliedLoad.REPLIES,
                                AppliedLoad.SENT,
                                AppliedLoad.OPENED,
                                AppliedLoad.FAILED,
                                AppliedLoad.SERVER,
                                AppliedLoad.GENERATOR))
                .note(
                        "httperf asks for events without pause, so that its share is 1 at every"
                                + " rate; its end is where its connections fall behind. It can have"
                                + " 1,024 descriptors (FD_SETSIZE), whatever the system's limit.")
                .note(
                        "In the open loop each connection has a request for /hello. In closed loops"
                                + " 64 connections have one request at a time each, for which the"
                                + " server computes: so it is the bottleneck, and its throughput"
                                + " does not depend on the generator, unless one measures wrongly.")
                .note(
                        "Where the server is saturated first in the open loop, the end is that of"
                                + " both: the server's processors say so.");
    }

    static List<Headline> headlines(Samples samples) {
        var lines = new ArrayList<Headline>();
        List<Double> rates = samples.values(OURS, RATE);
        double highest = rates.isEmpty() ? Double.NaN : rates.getLast();
        Scenario end = Scenario.of(OURS, RATE, highest);
        lines.add(
                new Headline(
                        "the generator's share of its processor at the highest rate",
                        samples.median(end, AppliedLoad.GENERATOR),
                        "",
                        Goal.atLeast(Disturbances.GENERATOR_MAX)));
        lines.add(
                new Headline(
                        "the server's processors there",
                        samples.median(end, AppliedLoad.SERVER),
                        "",
                        Goal.atMost(Disturbances.GENERATOR_MAX)));
        lines.add(
                new Headline(
                        "the generator's most replies/s, times httperf's",
                        most(samples, OURS) / most(samples, GeneratorExperiment.HTTPERF),
                        "",
                        null));
        lines.add(
                difference(
                        "httperf's replies/s at rates that both sustain", httperf(samples, rates)));
        lines.add(closed(samples, GeneratorExperiment.WRK_HTTP1, GeneratorExperiment.OURS_HTTP1));
        lines.add(
                closed(samples, GeneratorExperiment.H2LOAD_HTTP1, GeneratorExperiment.OURS_HTTP1));
        lines.add(
                closed(samples, GeneratorExperiment.H2LOAD_HTTP2, GeneratorExperiment.OURS_HTTP2));
        return lines;
    }

    private static Headline difference(String what, double share) {
        return new Headline(
                "difference of " + what + ", share of ours",
                share,
                "",
                Goal.atMost(DIFFERENCE_MAX));
    }

    private static Headline closed(Samples samples, String other, String ours) {
        double theirs = samples.median(Scenario.of(other), AppliedLoad.REPLIES);
        double share =
                Math.abs(theirs / samples.median(Scenario.of(ours), AppliedLoad.REPLIES) - 1);
        return difference(other.replace(",", "'s replies/s over"), share);
    }

    private static double most(Samples samples, String contender) {
        return samples.values(contender, RATE).stream()
                .mapToDouble(
                        rate ->
                                samples.median(
                                        Scenario.of(contender, RATE, rate), AppliedLoad.REPLIES))
                .max()
                .orElse(Double.NaN);
    }

    /// The greatest difference at rates at which both open nearly all connections; NaN if there are
    /// none.
    private static double httperf(Samples samples, List<Double> rates) {
        double most = Double.NaN;
        for (double rate : rates) {
            Scenario ours = Scenario.of(OURS, RATE, rate);
            Scenario theirs = Scenario.of(GeneratorExperiment.HTTPERF, RATE, rate);
            boolean isSustained =
                    Math.min(
                                    samples.median(ours, AppliedLoad.OPENED),
                                    samples.median(theirs, AppliedLoad.OPENED))
                            >= SUSTAINED_MIN * rate;
            if (isSustained) {
                double replies = samples.median(theirs, AppliedLoad.REPLIES);
                double share = Math.abs(replies / samples.median(ours, AppliedLoad.REPLIES) - 1);
                most = Double.isNaN(most) ? share : Math.max(most, share);
            }
        }
        return most;
    }

    private static Lines course(Samples samples, String contender, String title) {
        return Lines.of(
                new Caption(
                        title,
                        "The requested rate would be a diagonal; a generator that bends off is at"
                                + " its end."),
                Axis.linear("requested connections", "1/s"),
                Axis.linear("rate", "1/s"),
                List.of(
                        line(samples, contender, "connections", AppliedLoad.OPENED),
                        line(samples, contender, "requests", AppliedLoad.SENT),
                        line(samples, contender, "replies", AppliedLoad.REPLIES)));
    }

    private static Lines shares(Samples samples) {
        return Lines.of(
                new Caption(
                        "The generator's share",
                        "Of its processor; at 1 it is at its end, and the server should not be."),
                Axis.linear("requested connections", "1/s"),
                Axis.linear("processors", ""),
                List.of(
                        line(samples, OURS, "the generator's", AppliedLoad.GENERATOR),
                        line(samples, OURS, "the server's", AppliedLoad.SERVER)));
    }

    private static Series line(Samples samples, String contender, String name, String figure) {
        return new Series(name, samples.line(contender, RATE, figure).points());
    }

    private static Bars closed(Samples samples) {
        List<Scenario> scenarios =
                samples.scenarios().stream()
                        .filter(s -> s.at().isEmpty())
                        .sorted(Comparator.comparing(Scenario::contender))
                        .toList();
        return Bars.of(
                new Caption(
                        "Replies in closed loops",
                        "64 connections with one request at a time each; generators should agree."),
                scenarios.stream().map(Scenario::contender).toList(),
                Axis.linear("replies", "replies/s"),
                List.of(samples.bars("replies", AppliedLoad.REPLIES, scenarios)));
    }
}
