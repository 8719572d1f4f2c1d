package dev.tandem.bookstore;

import java.util.Locale;

/// The prices of an order, in cents.
public final class Prices {
    /// 8.25 %, in hundredths of a percent.
    private static final long TAX = 825;

    private static final long SHIPPING = 300;
    private static final long SHIPPING_EACH = 100;

    private Prices() {}

    static long tax(long subTotal) {
        return Math.round(subTotal * TAX / 10_000.0);
    }

    /// $3.00, and $1.00 for each title.
    static long shipping(int titles) {
        return SHIPPING + SHIPPING_EACH * titles;
    }

    static long discounted(long cents, int percent) {
        return Math.round(cents * (100 - percent) / 100.0);
    }

    /// Formats a price: `$12.34`.
    public static String text(long cents) {
        return String.format(Locale.ROOT, "$%d.%02d", cents / 100, cents % 100);
    }
}
