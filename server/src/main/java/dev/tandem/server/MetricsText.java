package dev.tandem.server;

import java.util.List;

/// Writes metrics in Prometheus' text format 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats).
final class MetricsText {
    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder(8192);

    /// A label's name is the code's; its value may have any characters.
    record Label(String name, String value) {}

    /// Begins a metric, whose samples follow.
    ///
    /// @param type `counter`, `gauge` or `histogram`
    MetricsText metric(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    MetricsText sample(String name, double value, Label... labels) {
        return sample(name, List.of(labels), value);
    }

    /// A metric that has but one sample.
    MetricsText single(String name, String type, String help, double value) {
        return metric(name, type, help).sample(name, value);
    }

    /// The samples of a histogram with these labels.
    ///
    /// @param bounds the upper bounds of the buckets in seconds, without the infinite one
    /// @param buckets how many were in each, not added up; one more than there are bounds
    MetricsText histogram(
            String name, List<Label> labels, double[] bounds, long[] buckets, double sum) {
        long count = 0;
        for (int i = 0; i < buckets.length; i++) {
            count += buckets[i];
            String bound = i < bounds.length ? Double.toString(bounds[i]) : "+Inf";
            var all = new java.util.ArrayList<>(labels);
            all.add(new Label("le", bound));
            sample(name + "_bucket", all, count);
        }
        return sample(name + "_sum", labels, sum).sample(name + "_count", labels, count);
    }

    private MetricsText sample(String name, List<Label> labels, double value) {
        text.append(name);
        char before = '{';
        for (Label label : labels) {
            text.append(before).append(label.name).append("=\"");
            text.append(escaped(label.value)).append('"');
            before = ',';
        }
        text.append(labels.isEmpty() ? " " : "} ");
        if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
            text.append((long) value);
        } else {
            text.append(value);
        }
        text.append('\n');
        return this;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
