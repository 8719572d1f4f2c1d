package dev.tandem.bookstore;

/// The size of a new store. TPC-W's scales: 1,000, 10,000 … 10,000,000 items, and 2,880 customers
/// for each emulated browser; from these follow 2 addresses and 0.9 orders per customer, an author
/// for four items, 1 to 5 lines per order.
///
/// @param items 100 to 10,000,000
/// @param customers 100 to 100,000,000
/// @param seed the same seed gives the same population
public record Population(int items, int customers, long seed) {
    /// Filled in a second or two: the smallest scale of items, customers of one browser.
    public static final Population SMALL = new Population(1_000, 2_880, 1);

    /// @throws IllegalArgumentException if a number is out of range
    public Population {
        check("items", items, 10_000_000);
        check("customers", customers, 100_000_000);
    }

    private static void check(String name, int value, int max) {
        if (value < 100 || value > max) {
            throw new IllegalArgumentException(
                    name + " must be from 100 to " + max + ", was " + value);
        }
    }

    int authors() {
        return items / 4;
    }

    int addresses() {
        return 2 * customers;
    }

    int orders() {
        return (int) (customers * 9L / 10);
    }
}
