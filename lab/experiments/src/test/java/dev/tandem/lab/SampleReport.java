package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A report with a chart of every kind. Its numbers are made up.
final class SampleReport {
    private static final long SEED = 4;

    private SampleReport() {}

    /// Writes the report, to inspect its appearance.
    ///
    /// @param args the folder
    public static void main(String[] args) throws LabException {
        report(1).write(Path.of(args[0]));
    }

    /// @param scale multiplies the values, to distinguish runs
    static Report report(double scale) {
        var findings =
                new Findings(
                        "Static throughput",
                        "How many replies does each architecture give as clients grow, and how"
                                + " long do they wait? Surge, all servers on one processor.");
        findings.headline(
                        new Headline(
                                "throughput at twice saturation",
                                9_830 * scale,
                                "replies/s",
                                Goal.atLeast(9_000)))
                .headline(
                        new Headline(
                                "response time, share of the rival's", 0.62, "", Goal.atMost(0.5)))
                .headline(new Headline("threads", 10, "", null))
                .headline(new Headline("connections closed by us", Double.NaN, "", Goal.atMost(0)))
                .note("Medians of five repetitions; bars span the least and the most.")
                .table(
                        "Replies",
                        new Table("server", "replies/s", "p99 ms")
                                .row("tandem", "9,830", "12.10")
                                .row("multi-threaded", "7,020", "41.00"));
        charts(scale).forEach(findings::chart);
        var machine = new LinkedHashMap<String, String>();
        machine.put("date", "2026-11-22T00:50:00Z");
        machine.put("processors", "2 x EPYC");
        machine.put("commit", "0123456789");
        machine.put("kernel", "Linux 6.1");
        machine.put("jdk", "25.0.3");
        var origin =
                new Origin(
                        "static",
                        Form.QUICK,
                        "tandem lab run static --quick",
                        Map.of("secs", "2.5"),
                        1,
                        machine,
                        Map.of("tandem", "java -Xmx1g lab target --listen 127.0.0.1:0"),
                        List.of(
                                "other processes used 0.31 processors (2 of 30 measurements, worst"
                                        + " at tandem)"));
        return new Report(findings, origin, null);
    }

    static List<Chart> charts(double scale) {
        return List.of(
                lines(scale), distribution(scale), bars(scale), stacked(), heat(scale), seconds());
    }

    private static Lines lines(double scale) {
        double[] clients = {10, 30, 100, 300, 1_000, 3_000};
        return Lines.of(
                new Caption(
                        "Replies by clients",
                        "Higher is better: the hybrid keeps its"
                                + " throughput when there are more clients than threads."),
                Axis.log("clients", ""),
                Axis.linear("throughput", "replies/s"),
                List.of(
                        line("tandem", clients, scale, 1_100, 3_300, 8_900, 9_800, 9_850, 9_830),
                        line(
                                "multi-threaded",
                                clients,
                                scale,
                                1_050,
                                3_200,
                                7_900,
                                8_200,
                                7_400,
                                5_200),
                        line(
                                "event-driven",
                                clients,
                                scale,
                                1_100,
                                3_250,
                                8_700,
                                9_300,
                                9_200,
                                8_800),
                        line(
                                "nginx", clients, scale, 1_120, 3_300, 9_900, 11_000, 10_900,
                                10_700)));
    }

    private static Series line(String name, double[] x, double scale, double... y) {
        var points = new ArrayList<Point>();
        for (int i = 0; i < x.length; i++) {
            points.add(new Point(x[i], y[i] * scale, y[i] * scale * 0.95, y[i] * scale * 1.03));
        }
        return new Series(name, points);
    }

    private static Lines distribution(double scale) {
        var random = new Random(SEED);
        var measurements = new LinkedHashMap<String, double[]>();
        measurements.put("tandem", random.doubles(500).map(d -> scale * Math.exp(3 * d)).toArray());
        measurements.put("multi-threaded", random.doubles(500).map(d -> Math.exp(5 * d)).toArray());
        measurements.put("event-driven", random.doubles(500).map(d -> Math.exp(4 * d)).toArray());
        return Lines.distribution(
                new Caption("Response times", "Further left is better."),
                Axis.log("response time", "ms"),
                measurements);
    }

    private static Bars bars(double scale) {
        return Bars.of(
                new Caption("CPU per request", "Shorter is better."),
                List.of("hello", "static1k", "a rather long name of a trial"),
                Axis.linear("CPU per request", "µs"),
                List.of(
                        new Series(
                                "tandem",
                                List.of(
                                        new Point(0, 7.6 * scale, 7.5, 8.7),
                                        new Point(1, 7.58, 7.5, 7.9),
                                        new Point(2, 24.3, 22.7, 24.8))),
                        new Series(
                                "nginx",
                                List.of(
                                        new Point(0, 8, 7.9, 8.1),
                                        new Point(1, 18.5, 18.4, 19.2),
                                        new Point(2, Double.NaN, Double.NaN, Double.NaN)))));
    }

    private static Bars stacked() {
        return Bars.stacked(
                new Caption("Where the time goes", "Parts of a mean response, at 300 clients."),
                List.of("tandem", "multi-threaded"),
                Axis.linear("time", "ms"),
                List.of(
                        Series.ofBars("connect", 1, 12), Series.ofBars("queue", 3, 9),
                        Series.ofBars("serve", 4, 4.4), Series.ofBars("send", 2.5, 2.1)));
    }

    private static HeatMap heat(double scale) {
        var rows = new ArrayList<List<Double>>();
        for (int row = 0; row < 5; row++) {
            var values = new ArrayList<Double>();
            for (int column = 0; column < 8; column++) {
                values.add(scale * 900 * (column + 1) * (5 - row) / (3.0 + row));
            }
            rows.add(values);
        }
        rows.get(4).set(7, Double.NaN);
        return new HeatMap(
                new Caption(
                        "Throughput by configuration",
                        "The rival has to be tuned: a wrong pair"
                                + " costs most of its throughput."),
                "threads",
                "keep-alive time-out (s)",
                List.of("16", "32", "64", "128", "256", "512", "1,024", "2,048"),
                List.of("1", "5", "15", "30", "60"),
                Axis.linear("throughput", "replies/s"),
                rows);
    }

    private static Lines seconds() {
        var random = new Random(SEED);
        var series = new ArrayList<Series>();
        for (String name : List.of("tandem", "multi-threaded")) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < 60; i++) {
                double dip = i > 20 && i < 30 && !name.equals("tandem") ? 0.4 : 1;
                points.add(Point.of(i, dip * (900 + 80 * random.nextDouble())));
            }
            series.add(new Series(name, points));
        }
        return Lines.of(
                new Caption("Replies in each second", "A burst comes at second 20."),
                Axis.linear("time", "s"),
                Axis.linear("throughput", "replies/s"),
                series);
    }
}
