package dev.tandem.engine.manage;

import dev.tandem.Metric;
import dev.tandem.engine.Engine;
import dev.tandem.engine.site.Durations;
import dev.tandem.engine.site.RouteCounts;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// The console's state as JSON: plain numbers, counted since the start. The page computes rates of
/// routes and lanes from two of these and the monotonic time in each, so that neither a changed
/// clock nor a second viewer disturbs them. Charts are made of [History].
///
/// ```
/// {"host", "version", "started": ms, "at": ms, "state": {"level", "value", "why"},
///  "metrics": {"NAME": {"type": "gauge", "help": "...", "samples": [
///    {"labels": {"lane": "quick"}, "value": 3}]}},
///  "routes": [{"method", "route", "count", "failed", "seconds", "p50", "p99"}],
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
    private record Slow(RouteCounts route, long[] counts, long p99) {
        static Slow of(RouteCounts route) {
            long[] counts = route.durations().counts();
            return new Slow(route, counts, Durations.percentile(counts, 0.99));
        }
    }

    private static String slowest(List<RouteCounts> routes) {
        var all = new StringJoiner(",", "[", "]");
        routes.stream()
                .map(Slow::of)
                .filter(
                        slow ->
                                IntStream.range(0, Durations.BUCKETS)
                                        .anyMatch(i -> slow.counts[i] > 0))
                .sorted(Comparator.comparingLong(Slow::p99).reversed())
                .limit(ROUTES_MAX)
                .forEach(slow -> all.add(slow(slow)));
        return all.toString();
    }

    private static String slow(Slow slow) {
        long count = 0;
        long failed = 0;
        double seconds = 0;
        for (RouteCounts.OfClass c : slow.route.classes().toList()) {
            count += c.count();
            failed += c.status().equals("5xx") ? c.count() : 0;
            seconds += c.seconds();
        }
        return "{\"method\":"
                + quoted(slow.route.method())
                + ",\"route\":"
                + quoted(slow.route.pattern())
                + ",\"count\":"
                + count
                + ",\"failed\":"
                + failed
                + ",\"seconds\":"
                + number(seconds)
                + ",\"p50\":"
                + TimeUnit.NANOSECONDS.toMicros(Durations.percentile(slow.counts, 0.5))
                + ",\"p99\":"
                + TimeUnit.NANOSECONDS.toMicros(slow.p99)
                + "}";
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
