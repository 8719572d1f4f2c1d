package dev.tandem;

import java.util.List;
import java.util.Map;

/// A metric of a server at one moment, in Prometheus' model: its description and its samples.
///
/// @param name such as `tandem_lane_limit`
/// @param help a sentence
/// @param samples in their order
public record Metric(String name, Type type, String help, List<Sample> samples) {

    /// How the numbers are to be read.
    public enum Type {
        /// Only grows.
        COUNTER,
        /// Rises and falls.
        GAUGE,
        /// Counts by bucket, cumulative, and their sum: samples with suffixes.
        HISTOGRAM
    }

    /// One number.
    ///
    /// @param suffix appended to the metric's name: empty, or for a histogram `_bucket`, `_sum` or
    ///     `_count`
    /// @param labels in their order; values may have any characters
    public record Sample(String suffix, Map<String, String> labels, double value) {}
}
