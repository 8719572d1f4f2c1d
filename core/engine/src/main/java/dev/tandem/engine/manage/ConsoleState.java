package dev.tandem.engine.manage;

import dev.tandem.Metric;
import dev.tandem.engine.Engine;
import dev.tandem.engine.site.Durations;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteSeries;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The console's state as JSON: plain numbers, counted since the start. The page computes rates of
/// routes and lanes from two of these and the monotonic time in each, so that neither a changed
/// clock nor a second viewer disturbs them. Charts are made of [History].
///
/// ```
/// {"host", "version", "started": ms, "at": ms, "state": {"level", "value", "why"},
///  "metrics": {"NAME": {"type": "gauge", "help": "...", "samples": [
///    {"labels": {"lane": "quick"}, "value": 3}]}},
///  "routes": [{"method", "route", "count", "failed", "seconds", "p50", "p90", "p99"}],
///  "running": [{"method", "path", "route", "protocol", "stream", "step", "age", "thread",
///    "doing"}], "runningCount": 0}
/// ```
final class ConsoleState {
    /// 20: the routes with the highest 99th percentile.
    static final int ROUTES_MAX = 20;

    /// 50: the oldest.
    static final int RUNNING_MAX = 50;

    private ConsoleState() {}

    /// @param title the members for the page's title, and a comma
    static String of(Engine engine, String title, ServerState state, long nowNanos) {
        List<RouteCounts> routes = engine.traffic().all();
        List<RunningRequest> running = RunningRequest.of(engine, nowNanos);
        return new StringJoiner(",", "{" + title, "}\n")
                .add("\"state\":" + state.json())
                .add("\"at\":" + TimeUnit.NANOSECONDS.toMillis(nowNanos))
                .add("\"metrics\":" + metrics(Metrics.withoutRoutes(engine)))
                .add("\"routes\":" + slowest(routes))
                .add("\"runningCount\":" + running.size())
                .add("\"running\":" + running(running))
                .toString();
    }

    private static String metrics(List<Metric> metrics) {
        var all = new StringJoiner(",", "{", "}");
        for (Metric metric : metrics) {
            var samples = new StringJoiner(",", "[", "]");
            for (Metric.Sample sample : metric.samples()) {
                if (!sample.suffix().equals("_bucket")) {
                    samples.add(sample(sample));
                }
            }
            all.add(
                    quoted(metric.name())
                            + ":{\"type\":\""
                            + metric.type().name().toLowerCase(Locale.ROOT)
                            + "\",\"help\":"
                            + quoted(metric.help())
                            + ",\"samples\":"
                            + samples
                            + "}");
        }
        return all.toString();
    }

    private static String sample(Metric.Sample sample) {
        var labels = new StringJoiner(",", "{", "}");
        for (Map.Entry<String, String> label : sample.labels().entrySet()) {
            labels.add(quoted(label.getKey()) + ":" + quoted(label.getValue()));
        }
        return "{\"suffix\":"
                + quoted(sample.suffix())
                + ",\"labels\":"
                + labels
                + ",\"value\":"
                + number(sample.value())
                + "}";
    }

    /// JSON has no infinity and no NaN.
    private static String number(double value) {
        return Double.isFinite(value) ? MetricsText.number(value) : "null";
    }

    /// @param p99 in nanoseconds
    private record Slow(RouteCounts route, RouteCounts.OfMethod of, long[] counts, long p99) {
        static Slow of(RouteCounts route, RouteCounts.OfMethod of) {
            long[] counts = of.durations().counts();
            return new Slow(route, of, counts, Durations.percentile(counts, 0.99));
        }

        String json() {
            long count = 0;
            long failed = 0;
            double seconds = 0;
            for (RouteSeries series : of.series()) {
                count += series.count();
                failed += series.status() >= 500 ? series.count() : 0;
                seconds += series.seconds();
            }
            return new StringJoiner(",", "{", "}")
                    .add("\"method\":" + quoted(of.method()))
                    .add("\"route\":" + quoted(route.pattern()))
                    .add("\"count\":" + count)
                    .add("\"failed\":" + failed)
                    .add("\"seconds\":" + number(seconds))
                    .add("\"p50\":" + micros(0.5))
                    .add("\"p90\":" + micros(0.9))
                    .add("\"p99\":" + TimeUnit.NANOSECONDS.toMicros(p99))
                    .toString();
        }

        private long micros(double part) {
            return TimeUnit.NANOSECONDS.toMicros(Durations.percentile(counts, part));
        }
    }

    /// Returns those with a response that was sent to its end.
    private static String slowest(List<RouteCounts> routes) {
        return routes.stream()
                .flatMap(route -> route.methods().stream().map(of -> Slow.of(route, of)))
                .filter(slow -> Arrays.stream(slow.counts).anyMatch(count -> count > 0))
                .sorted(Comparator.comparingLong(Slow::p99).reversed())
                .limit(ROUTES_MAX)
                .map(Slow::json)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String running(List<RunningRequest> running) {
        var all = new StringJoiner(",", "[", "]");
        for (RunningRequest r : running.subList(0, Math.min(RUNNING_MAX, running.size()))) {
            all.add(
                    "{\"method\":"
                            + quoted(r.method())
                            + ",\"path\":"
                            + quoted(r.path())
                            + ",\"route\":"
                            + quoted(r.route())
                            + ",\"protocol\":"
                            + quoted(r.protocol())
                            + ",\"stream\":"
                            + r.streamId()
                            + ",\"step\":\""
                            + r.step()
                            + "\",\"age\":"
                            + TimeUnit.NANOSECONDS.toMicros(r.ageNanos())
                            + ",\"thread\":"
                            + quoted(r.thread())
                            + ",\"doing\":\""
                            + r.doing()
                            + "\"}");
        }
        return all.toString();
    }

    private static String quoted(String text) {
        return ExplainPage.quoted(text);
    }
}
