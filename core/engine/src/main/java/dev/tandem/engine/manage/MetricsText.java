package dev.tandem.engine.manage;

import dev.tandem.Metric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Collects metrics, and writes them in Prometheus' text format 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats).
public final class MetricsText {
    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final List<Metric> all = new ArrayList<>();

    /// Samples of the metric that was begun last.
    private List<Metric.Sample> samples = List.of();

    /// A label of the code; its value may have any characters.
    record Label(String name, String value) {}

    /// Begins a metric, whose samples follow.
    ///
    /// @param type `counter`, `gauge` or `histogram`
    MetricsText metric(String name, String type, String help) {
        samples = new ArrayList<>();
        var known = Metric.Type.valueOf(type.toUpperCase(Locale.ROOT));
        all.add(new Metric(name, known, help, Collections.unmodifiableList(samples)));
        return this;
    }

    /// @param name of the metric that was begun last
    MetricsText sample(String name, double value, Label... labels) {
        return sample("", List.of(labels), value);
    }

    /// Adds a metric with one sample.
    MetricsText single(String name, String type, String help, double value) {
        return metric(name, type, help).sample(name, value);
    }

    /// Adds the samples of a histogram with these labels.
    ///
    /// @param name of the metric that was begun last
    /// @param bounds the upper bounds of the buckets in seconds, without the infinite one
    /// @param buckets the count of each, not cumulative; one more than there are bounds
    MetricsText histogram(
            String name, List<Label> labels, double[] bounds, long[] buckets, double sum) {
        long count = 0;
        for (int i = 0; i < buckets.length; i++) {
            count += buckets[i];
            String bound = i < bounds.length ? Double.toString(bounds[i]) : "+Inf";
            var all = new ArrayList<>(labels);
            all.add(new Label("le", bound));
            sample("_bucket", all, count);
        }
        return sample("_sum", labels, sum).sample("_count", labels, count);
    }

    private MetricsText sample(String suffix, List<Label> labels, double value) {
        Map<String, String> named = new LinkedHashMap<>();
        labels.forEach(label -> named.put(label.name, label.value));
        samples.add(new Metric.Sample(suffix, named, value));
        return this;
    }

    /// Returns the collected metrics.
    public List<Metric> all() {
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        var text = new StringBuilder(8192);
        for (Metric metric : all) {
            String name = metric.name();
            String type = metric.type().name().toLowerCase(Locale.ROOT);
            text.append("# HELP ").append(name).append(' ').append(metric.help()).append('\n');
            text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
            for (Metric.Sample sample : metric.samples()) {
                text.append(name).append(sample.suffix());
                write(sample, text);
            }
        }
        return text.toString();
    }

    private static void write(Metric.Sample sample, StringBuilder text) {
        char before = '{';
        for (Map.Entry<String, String> label : sample.labels().entrySet()) {
            text.append(before).append(label.getKey()).append("=\"");
            text.append(escaped(label.getValue())).append('"');
            before = ',';
        }
        text.append(before == '{' ? " " : "} ");
        text.append(number(sample.value())).append('\n');
    }

    /// Returns a number, whole ones without a point.
    static String number(double value) {
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
        return isWhole ? Long.toString((long) value) : Double.toString(value);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
