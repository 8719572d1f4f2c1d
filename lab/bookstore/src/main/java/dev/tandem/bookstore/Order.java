package dev.tandem.bookstore;

import java.time.Instant;
import java.util.List;

/// A completed order.
///
/// @param total in cents
public record Order(
        long id, Instant made, String status, String shipping, long total, List<Line> lines) {
    public record Line(long item, String title, int quantity) {}
}
