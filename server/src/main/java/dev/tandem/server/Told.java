package dev.tandem.server;

/// Something that a part of the site tells of itself, for `/explain` and `/metrics`.
///
/// @param name for people, such as `page cache, held`
/// @param value for people
/// @param why it is so, or what it means, in a sentence without its dot
/// @param metric its name for Prometheus, which begins with `tandem_`; counters end with
///     `_total`
/// @param number its value there
public record Told(String name, String value, String why, String metric, double number) {

    /// Whether it only rises.
    boolean isCounter() {
        return metric.endsWith("_total");
    }
}
