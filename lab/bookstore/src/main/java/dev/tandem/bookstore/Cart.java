package dev.tandem.bookstore;

import java.util.List;

/// A shopping cart.
///
/// @param discount of its customer, in percent
public record Cart(long id, List<Line> lines, int discount) {
    /// @param cost of one, in cents
    public record Line(long item, String title, int quantity, long cost) {}

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    public long subTotal() {
        long sum = lines.stream().mapToLong(line -> line.quantity() * line.cost()).sum();
        return Prices.discounted(sum, discount);
    }

    public long tax() {
        return Prices.tax(subTotal());
    }

    public long shipping() {
        return Prices.shipping(lines.size());
    }

    public long total() {
        return subTotal() + tax() + shipping();
    }
}
