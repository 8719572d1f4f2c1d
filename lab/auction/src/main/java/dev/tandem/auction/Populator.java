package dev.tandem.auction;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Fills new tables as RUBiS' own program does: 0 to 19 bids per item, each 1 to 10 above the last;
/// one comment per item; a reserve price for 40 % and a price to buy at once for 10 %; 80 % are
/// single pieces, the others 1 to 10; ending in 1 to 7 days, the old ones as long ago.
///
/// The password of user N is `passwordN`, hashed with one iteration: a million hashes must be made,
/// and they protect nothing. Each statement inserts many rows: MariaDB leaves gaps in the keys of
/// its driver's batches.
final class Populator {
    private static final int ROWS = 200;

    private static final int BIDS_MAX = 19;
    private static final int DAYS_MAX = 7;

    private final Connection connection;
    private final Population size;
    private final Random random;
    private final Passwords passwords = new Passwords(1);
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final int[] ratings;

    Populator(Connection connection, Population size) {
        this.connection = connection;
        this.size = size;
        random = new Random(size.seed());
        ratings = new int[size.users()];
    }

    void run() throws SQLException {
        connection.setAutoCommit(false);
        places("categories", Words.CATEGORIES);
        places("regions", Words.REGIONS);
        List<Lot> lots = lots("items", size.items(), false);
        List<Lot> oldLots = lots("old_items", size.oldItems(), true);
        bids(lots);
        bids(oldLots);
        comments(lots, oldLots);
        users();
        connection.commit();
        connection.setAutoCommit(true);
    }

    /// @param amounts of its bids, in cents
    private record Lot(long id, int quantity, Instant start, long[] amounts, long seller) {}

    private void places(String table, List<String> names) throws SQLException {
        try (var batch = batch("insert into " + table + " (name) values (?)")) {
            for (String name : names) {
                batch.add(name);
            }
        }
    }

    private void users() throws SQLException {
        var sql =
                """
                insert into users (firstname, lastname, nickname, password, email, rating, balance,
                creation_date, region) values (?, ?, ?, ?, ?, ?, 0, ?, ?)\
                """;
        try (var batch = batch(sql)) {
            for (int i = 1; i <= size.users(); i++) {
                batch.add(
                        "Great" + i,
                        "User" + i,
                        "user" + i,
                        passwords.hash("password" + i),
                        "Great" + i + ".User" + i + "@example.org",
                        ratings[i - 1],
                        now,
                        (long) (i % Words.REGIONS.size()) + 1);
            }
        }
    }

    private List<Lot> lots(String table, int count, boolean areOld) throws SQLException {
        var lots = new ArrayList<Lot>(count);
        String id = areOld ? "id, " : "";
        var sql =
                "insert into "
                        + table
                        + " ("
                        + id
                        + "name, description, initial_price, offered, quantity, reserve_price,"
                        + " buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category)"
                        + " values ("
                        + (areOld ? "?, " : "")
                        + "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        try (var batch = batch(sql)) {
            for (int i = 1; i <= count; i++) {
                // Old items have numbers that no new one will have for long.
                long number = areOld ? 1_000_000_000L + i : i;
                lots.add(lot(batch, number, areOld));
            }
        }
        return lots;
    }

    private Lot lot(Batch batch, long number, boolean isOld) throws SQLException {
        long initial = (1 + random.nextInt(5_000)) * 100L;
        long reserve = random.nextInt(100) < 40 ? initial + random.nextInt(1_000) * 100L : 0;
        long buyNow =
                random.nextInt(100) < 10
                        ? Math.max(initial, reserve) + random.nextInt(1_000) * 100L
                        : 0;
        int quantity = random.nextInt(100) < 80 ? 1 : 1 + random.nextInt(10);
        long[] amounts = amounts(initial);
        Instant end = end(isOld);
        Instant start = end.minus(DAYS_MAX + 1L, ChronoUnit.DAYS);
        long seller = user();
        var values = new ArrayList<Object>();
        if (isOld) {
            values.add(number);
        }
        values.addAll(
                List.of(
                        Words.name(random, number),
                        Words.description(random, size.descriptionMax()),
                        initial,
                        quantity,
                        quantity,
                        reserve,
                        buyNow,
                        amounts.length,
                        amounts.length == 0 ? 0L : amounts[amounts.length - 1],
                        start,
                        end,
                        seller,
                        1L + random.nextInt(Words.CATEGORIES.size())));
        batch.add(values.toArray());
        return new Lot(number, quantity, start, amounts, seller);
    }

    private long[] amounts(long initial) {
        var amounts = new long[random.nextInt(BIDS_MAX + 1)];
        long last = initial;
        for (int i = 0; i < amounts.length; i++) {
            last += (1 + random.nextInt(10)) * 100L;
            amounts[i] = last;
        }
        return amounts;
    }

    private Instant end(boolean isOld) {
        long seconds = random.nextLong(DAYS_MAX * 86_400L) + 86_400;
        return isOld ? now.minusSeconds(seconds) : now.plusSeconds(seconds);
    }

    private void bids(List<Lot> lots) throws SQLException {
        var sql =
                "insert into bids (user_id, item_id, qty, bid, max_bid, made)"
                        + " values (?, ?, ?, ?, ?, ?)";
        try (var batch = batch(sql)) {
            for (Lot lot : lots) {
                for (int i = 0; i < lot.amounts().length; i++) {
                    long amount = lot.amounts()[i];
                    batch.add(
                            otherThan(lot.seller()),
                            lot.id(),
                            1 + random.nextInt(lot.quantity()),
                            amount,
                            amount + 1_000,
                            lot.start().plusSeconds(60L * i));
                }
            }
        }
    }

    private void comments(List<Lot> lots, List<Lot> oldLots) throws SQLException {
        var sql =
                "insert into comments (from_user_id, to_user_id, item_id, rating, made, remark)"
                        + " values (?, ?, ?, ?, ?, ?)";
        try (var batch = batch(sql)) {
            for (List<Lot> each : List.of(lots, oldLots)) {
                for (Lot lot : each) {
                    int kind = random.nextInt(Words.RATINGS.length);
                    ratings[(int) lot.seller() - 1] += Words.RATINGS[kind];
                    batch.add(
                            otherThan(lot.seller()),
                            lot.seller(),
                            lot.id(),
                            Words.RATINGS[kind],
                            lot.start(),
                            Words.remark(random, kind, size.descriptionMax() / 4));
                }
            }
        }
    }

    private long user() {
        return 1L + random.nextInt(size.users());
    }

    private long otherThan(long user) {
        long other = user();
        return other == user ? user % size.users() + 1 : other;
    }

    /// @param sql an insert of one row of parameters
    private Batch batch(String sql) throws SQLException {
        return new Batch(connection, sql);
    }

    /// Inserts rows, [#ROWS] by each statement.
    private static final class Batch implements AutoCloseable {
        private final Connection connection;
        private final String sql;
        private final PreparedStatement statement;
        private final List<Object[]> rows = new ArrayList<>(ROWS);

        Batch(Connection connection, String sql) throws SQLException {
            this.connection = connection;
            this.sql = sql;
            statement = prepare(ROWS);
        }

        private PreparedStatement prepare(int count) throws SQLException {
            String row = sql.substring(sql.lastIndexOf('('));
            return connection.prepareStatement(sql + ("," + row).repeat(count - 1));
        }

        void add(Object... values) throws SQLException {
            rows.add(values);
            if (rows.size() == ROWS) {
                execute(statement);
            }
        }

        private void execute(PreparedStatement insert) throws SQLException {
            int index = 0;
            for (Object[] row : rows) {
                for (Object value : row) {
                    insert.setObject(++index, Rows.kept(value));
                }
            }
            insert.executeUpdate();
            rows.clear();
        }

        @Override
        public void close() throws SQLException {
            statement.close();
            if (!rows.isEmpty()) {
                try (PreparedStatement last = prepare(rows.size())) {
                    execute(last);
                }
            }
        }
    }
}
