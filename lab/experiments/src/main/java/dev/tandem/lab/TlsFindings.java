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

/// Findings of [TlsExperiment].
///
/// @param names of the contenders, without conditions
/// @param saturation in sessions per second
/// @param siteNote what a reader must know of the clients
record TlsFindings(List<String> names, double saturation, String siteNote) {
    private static final List<String> OURS = List.of(TlsExperiment.TANDEM, TlsExperiment.THREADED);
    private static final List<String> CLIENTS =
            List.of("", TlsExperiment.AGAIN, TlsExperiment.HASTY, TlsExperiment.PATIENT);

    Findings of(Samples samples) {
        var findings =
                new Findings(
                        "Sessions over TLS",
                        "A full handshake costs what dozens of requests do, and a server that"
                            + " closes idle connections needs more handshakes. What throughput is"
                            + " left as the load exceeds the capacity?");
        List<Double> rates = samples.values(TlsExperiment.TANDEM, Sweep.RATE);
        if (!rates.isEmpty()) {
            double most = rates.getLast();
            findings.verdict(
                    new Winner(samples, AppliedLoad.SESSIONS)
                            .sentence(names, Sweep.RATE, most, where(most).strip()));
        }
        findings.headline(headlines(samples))
                .doubt(
                        SaturationCheck.doubt(
                                samples,
                                TlsExperiment.TANDEM,
                                Sweep.RATE,
                                saturation,
                                AppliedLoad.REPLIES));
        byRate(findings, samples);
        handshakes(findings, samples);
        byCondition(findings, samples);
        var charts = new PhaseCharts(samples, Sweep.RATE, "1/s");
        names.forEach(name -> findings.chart(charts.connections(name)));
        names.forEach(name -> findings.chart(charts.threads(name)));
        return findings.table("All figures", table(samples))
                .note(siteNote)
                .note(
                        "The two of ours and the load use BoringSSL where it loads, httpd uses"
                                + " OpenSSL, Tomcat the JDK's TLS. All choose among versions and"
                                + " ciphers by their defaults.")
                .note(GeneratorLimit.note(samples))
                .data("saturation", saturation)
                .data("measurements", samples.asList());
    }

    private void byRate(Findings findings, Samples samples) {
        findings.chart(
                        lines(
                                samples,
                                new Caption("Throughput over TLS", "Whole replies."),
                                Axis.linear("throughput", "replies/s"),
                                new Line(AppliedLoad.REPLIES, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Completed sessions over TLS",
                                        "Every reply was received in time; higher is better."),
                                Axis.linear("completed sessions", "1/s"),
                                new Line(AppliedLoad.SESSIONS, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Response time over TLS",
                                        "Mean over the replies, without their" + " handshakes."),
                                Axis.log("response time", "ms"),
                                new Line(AppliedLoad.RESPONSE, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Time-outs over TLS",
                                        "Requests and handshakes that clients gave up."),
                                Axis.linear("time-outs", "1/s"),
                                new Line(AppliedLoad.TIME_OUTS, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Resets over TLS", "Connections that the server reset."),
                                Axis.linear("resets", "1/s"),
                                new Line(AppliedLoad.RESETS, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Connection time over TLS",
                                        "Until a connection is established, with its"
                                                + " handshake; mean."),
                                Axis.linear("connection time", "ms"),
                                new Line(AppliedLoad.CONNECT, names)));
    }

    private void handshakes(Findings findings, Samples samples) {
        findings.chart(
                        lines(
                                samples,
                                new Caption("Full handshakes", "Each session needs one."),
                                Axis.linear("full handshakes", "1/s"),
                                new Line(AppliedLoad.FULL, names)))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Resumed handshakes",
                                        "Connections in addition to the first one, and those that"
                                                + " take the place of one that was closed."),
                                Axis.linear("resumed handshakes", "1/s"),
                                new Line(AppliedLoad.RESUMED, names)));
    }

    private static void byCondition(Findings findings, Samples samples) {
        findings.chart(
                        lines(
                                samples,
                                new Caption(
                                        "Throughput with and without reuse of TLS sessions",
                                        "Without it every connection has a full handshake."),
                                Axis.linear("throughput", "replies/s"),
                                new Line(AppliedLoad.REPLIES, both(TlsExperiment.AFRESH))))
                .chart(
                        lines(
                                samples,
                                new Caption(
                                        "Throughput with one processor and with two",
                                        "Or with as many as `--processors` says; with two of two"
                                                + " the server shares the second with the load."),
                                Axis.linear("throughput", "replies/s"),
                                new Line(AppliedLoad.REPLIES, both(TlsExperiment.TWO))))
                .chart(byClients(samples));
    }

    private static List<String> both(String condition) {
        var both = new ArrayList<>(OURS);
        OURS.forEach(name -> both.add(name + condition));
        return both;
    }

    private String where(double rate) {
        return " at " + Figures.show(rate / saturation, 2) + " times saturation";
    }

    List<Headline> headlines(Samples samples) {
        List<Double> rates = samples.values(TlsExperiment.TANDEM, Sweep.RATE);
        double most = rates.isEmpty() ? Double.NaN : rates.getLast();
        String where = where(most);
        return List.of(
                new Headline(
                        "throughput" + where + ", share of the multi-threaded rival's",
                        ratio(samples, most, AppliedLoad.REPLIES),
                        "",
                        Goal.atLeast(1)),
                new Headline(
                        "completed sessions" + where + ", share of the multi-threaded rival's",
                        ratio(samples, most, AppliedLoad.SESSIONS),
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
        return samples.median(Scenario.of(TlsExperiment.TANDEM, Sweep.RATE, rate), figure)
                / samples.median(Scenario.of(TlsExperiment.THREADED, Sweep.RATE, rate), figure);
    }

    private static double handshakesEach(Samples samples, String name, double rate) {
        Scenario scenario = Scenario.of(name, Sweep.RATE, rate);
        double all =
                samples.median(scenario, AppliedLoad.FULL)
                        + samples.median(scenario, AppliedLoad.RESUMED);
        return all / samples.median(scenario, AppliedLoad.SESSIONS);
    }

    private record Line(String figure, List<String> names) {}

    private static Chart lines(Samples samples, Caption caption, Axis axis, Line line) {
        List<Series> series =
                line.names.stream()
                        .map(name -> samples.line(name, Sweep.RATE, line.figure))
                        .toList();
        return Lines.of(caption, Axis.linear("new sessions", "1/s"), axis, series);
    }

    /// Each kind of client at the highest rate.
    private static Chart byClients(Samples samples) {
        var series = new ArrayList<Series>();
        for (String name : OURS) {
            List<Double> rates = samples.values(name, Sweep.RATE);
            var points = new ArrayList<Point>();
            for (int i = 0; i < CLIENTS.size() && !rates.isEmpty(); i++) {
                Scenario scenario = Scenario.of(name + CLIENTS.get(i), Sweep.RATE, rates.getLast());
                points.add(samples.figures(scenario, AppliedLoad.SESSIONS).at(i));
            }
            series.add(new Series(name, points));
        }
        return Bars.of(
                new Caption(
                        "Completed sessions by kind of client",
                        "At the highest rate. Some retry when a request has failed; some wait"
                                + " for less, or for more."),
                List.of("as usual", "try again", "hasty", "patient"),
                Axis.linear("completed sessions", "1/s"),
                series);
    }

    private static Table table(Samples samples) {
        return samples.table(
                AppliedLoad.REPLIES,
                AppliedLoad.SESSIONS,
                AppliedLoad.RESPONSE,
                AppliedLoad.RESPONSE_P99,
                AppliedLoad.FULL,
                AppliedLoad.RESUMED,
                AppliedLoad.CLOSED,
                AppliedLoad.TIME_OUTS,
                AppliedLoad.RESETS,
                AppliedLoad.CONNECT,
                AppliedLoad.FAILED,
                AppliedLoad.SERVER,
                AppliedLoad.GENERATOR,
                AppliedLoad.CONNECTIONS,
                AppliedLoad.HANDSHAKE_SHARE,
                ThreadStates.RUNNABLE,
                ThreadStates.BLOCKED,
                ThreadStates.WAITING);
    }
}
