package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.List;

/// What is made of [TlsExperiment]'s takes.
///
/// @param names of the contenders, without conditions
/// @param saturation in sessions per second
/// @param siteNote what a reader must know of the visitors
record TlsFindings(List<String> names, double saturation, String siteNote) {
    private static final List<String> OURS = List.of(TlsExperiment.TANDEM, TlsExperiment.THREADED);
    private static final List<String> VISITORS =
            List.of("", TlsExperiment.AGAIN, TlsExperiment.HASTY, TlsExperiment.PATIENT);

    Findings of(Samples samples) {
        var findings =
                new Findings(
                        "Sessions over TLS",
                        "A full handshake costs what dozens of requests do, and a server that"
                                + " closes idle connections asks for more handshakes. What is left"
                                + " as more visitors come than can be served?");
        findings.headline(headlines(samples));
        byRate(findings, samples);
        handshakes(findings, samples);
        byCondition(findings, samples);
        return findings.table("All figures", table(samples))
                .note(siteNote)
                .note(
                        "The two of ours and the load use BoringSSL where it loads, httpd uses"
                                + " OpenSSL, Tomcat the JDK's TLS. All choose among versions and"
                                + " ciphers as they come.")
                .note(GeneratorLimit.note(samples))
                .data("saturation", saturation)
                .data("takes", samples.asList());
    }

    private void byRate(Findings findings, Samples samples) {
        findings.chart(
                        lines(
                                samples,
                                new Caption("Throughput over TLS", "Whole replies."),
                                Axis.linear("throughput", "replies/s"),
                                new Line(Play.REPLIES, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Completed sessions over TLS",
                                        "Every reply came, and in time; higher is better."),
                                Axis.linear("completed sessions", "1/s"),
                                new Line(Play.SESSIONS, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Response time over TLS",
                                        "In the mean of the replies that came, without their"
                                                + " handshakes."),
                                Axis.log("response time", "ms"),
                                new Line(Play.RESPONSE, names)));
    }

    private void handshakes(Findings findings, Samples samples) {
        findings.chart(
                        lines(
                                samples,
                                new Caption("Full handshakes", "Each session needs one."),
                                Axis.linear("full handshakes", "1/s"),
                                new Line(Play.FULL, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Resumed handshakes",
                                        "Connections beside the first one, and those that take the"
                                                + " place of one that was closed."),
                                Axis.linear("resumed handshakes", "1/s"),
                                new Line(Play.RESUMED, names)));
    }

    private static void byCondition(Findings findings, Samples samples) {
        findings.chart(
                        lines(
                                samples,
                                new Caption(
                                        "Throughput with and without reuse of TLS sessions",
                                        "Without it every connection has a full handshake."),
                                Axis.linear("throughput", "replies/s"),
                                new Line(Play.REPLIES, both(TlsExperiment.AFRESH))))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Throughput with one processor and with two",
                                        "With two the server shares the second with the load."),
                                Axis.linear("throughput", "replies/s"),
                                new Line(Play.REPLIES, both(TlsExperiment.TWO))))
                .chart(byVisitors(samples));
    }

    private static List<String> both(String condition) {
        var both = new ArrayList<>(OURS);
        OURS.forEach(name -> both.add(name + condition));
        return both;
    }

    List<Headline> headlines(Samples samples) {
        List<Double> rates = samples.values(TlsExperiment.TANDEM, Sweep.RATE);
        double most = rates.isEmpty() ? Double.NaN : rates.getLast();
        String where = " at " + Figures.show(most / saturation, 2) + " times saturation";
        return List.of(
                new Headline(
                        "throughput" + where + ", share of the multi-threaded rival's",
                        ratio(samples, most, Play.REPLIES),
                        "",
                        Goal.atLeast(1)),
                new Headline(
                        "completed sessions" + where + ", share of the multi-threaded rival's",
                        ratio(samples, most, Play.SESSIONS),
                        "",
                        Goal.atLeast(1)),
                new Headline(
                        "handshakes a completed session" + where,
                        handshakesEach(samples, TlsExperiment.TANDEM, most),
                        "",
                        null),
                new Headline(
                        "the same of the multi-threaded rival",
                        handshakesEach(samples, TlsExperiment.THREADED, most),
                        "",
                        null));
    }

    private static double ratio(Samples samples, double rate, String figure) {
        return samples.median(Cell.of(TlsExperiment.TANDEM, Sweep.RATE, rate), figure)
                / samples.median(Cell.of(TlsExperiment.THREADED, Sweep.RATE, rate), figure);
    }

    private static double handshakesEach(Samples samples, String name, double rate) {
        Cell cell = Cell.of(name, Sweep.RATE, rate);
        double all = samples.median(cell, Play.FULL) + samples.median(cell, Play.RESUMED);
        return all / samples.median(cell, Play.SESSIONS);
    }

    private record Line(String figure, List<String> names) {}

    private static Chart lines(Samples samples, Caption caption, Axis axis, Line line) {
        List<Series> series =
                line.names.stream()
                        .map(name -> samples.line(name, Sweep.RATE, line.figure))
                        .toList();
        return Lines.of(caption, Axis.linear("new sessions", "1/s"), axis, series);
    }

    /// Each kind of visitor at the highest rate.
    private static Chart byVisitors(Samples samples) {
        var series = new ArrayList<Series>();
        for (String name : OURS) {
            List<Double> rates = samples.values(name, Sweep.RATE);
            var points = new ArrayList<Point>();
            for (int i = 0; i < VISITORS.size() && !rates.isEmpty(); i++) {
                Cell cell = Cell.of(name + VISITORS.get(i), Sweep.RATE, rates.getLast());
                points.add(samples.figures(cell, Play.SESSIONS).at(i));
            }
            series.add(new Series(name, points));
        }
        return Bars.of(
                new Caption(
                        "Completed sessions by what visitors are like",
                        "At the highest rate. Some try again when a request has failed; some wait"
                                + " for less, or for more."),
                List.of("as usual", "try again", "hasty", "patient"),
                Axis.linear("completed sessions", "1/s"),
                series);
    }

    private static Table table(Samples samples) {
        return samples.table(
                Play.REPLIES,
                Play.SESSIONS,
                Play.RESPONSE,
                Play.RESPONSE_P99,
                Play.FULL,
                Play.RESUMED,
                Play.CLOSED,
                Play.FAILED,
                Play.SERVER,
                Play.GENERATOR,
                Play.CONNECTIONS);
    }
}
