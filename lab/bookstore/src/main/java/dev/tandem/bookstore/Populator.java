package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Fills new tables as TPC-W specifies: prices of 1.00 to 999.99 with up to half off, 10 to 30 in
/// stock, five related items, 1 to 5 lines per order. The user name of customer N is N in
/// syllables, the password the same in lower case.
///
/// Five items in a row begin with the same word, and five authors have the same name: what users
/// search for.
final class Populator {
    private static final int BATCH = 500;

    /// How many share a word that is searched for.
    static final int SAME = 5;

    private final Connection connection;
    private final Population size;
    private final Random random;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    /// The cost of each item, in cents.
    private final long[] costs;

    Populator(Connection connection, Population size) {
        this.connection = connection;
        this.size = size;
        random = new Random(size.seed());
        costs = new long[size.items() + 1];
    }

    void run() throws SQLException {
        connection.setAutoCommit(false);
        countries();
        addresses();
        authors();
        items();
        customers();
        orders();
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void countries() throws SQLException {
        try (var rows = new Rows(connection, "country", 4)) {
            for (int i = 1; i <= Words.COUNTRIES; i++) {
                rows.add((long) i, Words.country(i), 0.5 + random.nextDouble() * 10, "Dollars");
            }
        }
    }

    private void addresses() throws SQLException {
        try (var rows = new Rows(connection, "address", 7)) {
            for (int i = 1; i <= size.addresses(); i++) {
                rows.add(
                        (long) i,
                        random.nextInt(1, 1_000) + " " + Words.text(random, 10, 30),
                        "",
                        Words.text(random, 4, 20),
                        Words.text(random, 2, 15),
                        String.valueOf(10_000 + random.nextInt(90_000)),
                        (long) random.nextInt(1, Words.COUNTRIES + 1));
            }
        }
    }

    private void authors() throws SQLException {
        try (var rows = new Rows(connection, "author", 6)) {
            for (int i = 1; i <= size.authors(); i++) {
                rows.add(
                        (long) i,
                        Words.text(random, 3, 15),
                        Words.syllables(i / SAME, 7),
                        Words.text(random, 1, 10),
                        day(1800, 1990),
                        Words.text(random, 125, 500));
            }
        }
    }

    private void items() throws SQLException {
        try (var rows = new Rows(connection, "item", 22)) {
            for (int i = 1; i <= size.items(); i++) {
                item(rows, i);
            }
        }
    }

    private void item(Rows rows, int i) throws SQLException {
        long price = 100 + random.nextInt(99_900);
        long cost = Math.max(1, Math.round(price * (1 - random.nextDouble() * 0.5)));
        costs[i] = cost;
        LocalDate published = day(1930, 2000);
        var values = new ArrayList<Object>();
        values.add((long) i);
        values.add(Words.syllables(i / SAME, 7) + " " + Words.text(random, 5, 40));
        values.add((long) (i <= size.authors() ? i : random.nextInt(1, size.authors() + 1)));
        values.add(published);
        values.add(Words.text(random, 14, 60));
        values.add(Words.SUBJECTS.get(random.nextInt(Words.SUBJECTS.size())));
        values.add(Words.text(random, 100, 500));
        values.addAll(related(i));
        values.add("/thumbnail/" + i);
        values.add("/cover/" + i);
        values.add(price);
        values.add(cost);
        values.add(published.plusDays(random.nextInt(1, 31)));
        values.add(random.nextInt(10, 31));
        values.add(String.format("%013d", random.nextLong(10_000_000_000_000L)));
        values.add(random.nextInt(20, 10_000));
        values.add(Words.BACKINGS.get(random.nextInt(Words.BACKINGS.size())));
        values.add(random.nextInt(1, 100) + "x" + random.nextInt(1, 100) + " cm");
        rows.add(values.toArray());
    }

    /// Five others, all different.
    private List<Long> related(int item) {
        return random.longs(1, size.items() + 1L)
                .filter(other -> other != item)
                .distinct()
                .limit(5)
                .boxed()
                .toList();
    }

    private void customers() throws SQLException {
        try (var rows = new Rows(connection, "customer", 14)) {
            for (int i = 1; i <= size.customers(); i++) {
                String name = Words.syllables(i, 7);
                rows.add(
                        (long) i,
                        name,
                        Passwords.quick(name.toLowerCase(java.util.Locale.ROOT)),
                        Words.text(random, 8, 15),
                        Words.text(random, 8, 15),
                        (long) random.nextInt(1, size.addresses() + 1),
                        String.valueOf(1_000_000_000L + random.nextLong(9_000_000_000L)),
                        name + "@example.org",
                        day(2000, 2020),
                        random.nextInt(0, 51),
                        0L,
                        random.nextLong(100_000),
                        day(1880, 2000),
                        Words.text(random, 100, 500));
            }
        }
    }

    private void orders() throws SQLException {
        try (var orders = new Rows(connection, "orders", 11);
                var lines = new Rows(connection, "order_line", 6);
                var cards = new Rows(connection, "cc_xacts", 8)) {
            for (int i = 1; i <= size.orders(); i++) {
                order(orders, lines, cards, i);
            }
        }
    }

    private void order(Rows orders, Rows lines, Rows cards, int id) throws SQLException {
        long subTotal = 0;
        int count = random.nextInt(1, 6);
        for (int line = 1; line <= count; line++) {
            int item = random.nextInt(1, size.items() + 1);
            int quantity = random.nextInt(1, 301) / 100 + 1;
            subTotal += quantity * costs[item];
            String comment = Words.text(random, 20, 100);
            lines.add(line, (long) id, (long) item, quantity, random.nextInt(0, 4), comment);
        }
        long tax = Prices.tax(subTotal);
        Instant made = now.minusSeconds(random.nextLong(1, 60 * 86_400L));
        orders.add(
                (long) id,
                (long) random.nextInt(1, size.customers() + 1),
                made,
                subTotal,
                tax,
                subTotal + tax + Prices.shipping(count),
                Words.SHIPPING.get(random.nextInt(Words.SHIPPING.size())),
                made.plusSeconds(random.nextLong(0, 7 * 86_400L)),
                (long) random.nextInt(1, size.addresses() + 1),
                (long) random.nextInt(1, size.addresses() + 1),
                Words.STATES.get(random.nextInt(Words.STATES.size())));
        cards.add(
                (long) id,
                Words.CARDS.get(random.nextInt(Words.CARDS.size())),
                String.valueOf(1_000_000_000_000_000L + random.nextLong(8_000_000_000_000_000L)),
                Words.text(random, 14, 30),
                LocalDate.of(2030, 1, 1),
                subTotal,
                made,
                (long) random.nextInt(1, Words.COUNTRIES + 1));
    }

    private LocalDate day(int fromYear, int toYear) {
        return LocalDate.of(fromYear, 1, 1).plusDays(random.nextInt((toYear - fromYear) * 365));
    }

    /// Rows of one table, sent in batches.
    private static final class Rows implements AutoCloseable {
        private final PreparedStatement statement;
        private int rows;

        Rows(Connection connection, String table, int columns) throws SQLException {
            String marks = "?, ".repeat(columns - 1) + "?";
            statement =
                    connection.prepareStatement("insert into " + table + " values (" + marks + ")");
        }

        void add(Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                Object value = values[i];
                statement.setObject(
                        i + 1, value instanceof Instant at ? Timestamp.from(at) : value);
            }
            statement.addBatch();
            if (++rows % BATCH == 0) {
                statement.executeBatch();
            }
        }

        @Override
        public void close() throws SQLException {
            try (statement) {
                if (rows % BATCH != 0) {
                    statement.executeBatch();
                }
            }
        }
    }
}
