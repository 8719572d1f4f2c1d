package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stored deals, and the end of auctions.
@Timeout(60)
class DealsTest {
    private volatile Instant now = Instant.parse("2026-11-22T12:00:00Z");

    private final Clock clock =
            new Clock() {
                @Override
                public Instant instant() {
                    return now;
                }

                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }
            };

    private JdbcDataSource source;
    private Database database;

    @BeforeEach
    void fill() throws Exception {
        source = ConsistencyCheckTest.filled();
        database = new Database(source);
    }

    /// Three pieces from 1.00, for 2.00 at once, by member 1, for a day.
    private long offered() throws SQLException {
        var offer = new Offer("x", "y", 100, 0, 200, 1, 3, 1);
        return database.write(c -> Items.add(c, offer, 1, now));
    }

    private int buy(long item, int quantity, String form) throws SQLException {
        return database.write(
                c -> Deals.buy(c, new Deals.Purchase(item, 2, quantity, form), clock));
    }

    private long bid(long item, long member, long amount) throws SQLException {
        return database.write(
                c -> {
                    Deals.bid(c, new Deals.Bidding(item, member, 1, amount, amount), clock);
                    return amount;
                });
    }

    /// The time when the lock is acquired counts: otherwise the bid would be later than the end
    /// that all others saw.
    @Test
    void bidThatWaitsBeyondTheEnd_isRejected() throws Exception {
        long item = offered();
        try (Connection other = source.getConnection()) {
            other.setAutoCommit(false);
            Items.locked(other, item);
            var bid =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return bid(item, 3, 150);
                                } catch (SQLException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> Thread.ofPlatform().daemon().start(task));
            Patience.until("the bid waits for the item", () -> isTransactionWaiting(other));
            now = now.plusSeconds(86_400);
            other.commit();
            var rejected =
                    assertThrows(ExecutionException.class, () -> bid.get(20, TimeUnit.SECONDS));
            assertEquals(
                    "This auction is over.",
                    String.valueOf(rejected.getCause()).replaceAll(".*: ", ""));
        }
        assertEquals(List.of(), new ConsistencyCheck(source).violations());
    }

    private static boolean isTransactionWaiting(Connection c) {
        try {
            Long waiting =
                    Rows.one(
                            c,
                            row -> row.getLong(1),
                            "select count(*) from information_schema.sessions"
                                    + " where blocker_id is not null");
            return waiting != null && waiting > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sameFormTwice_buysOnce() throws Exception {
        long item = offered();
        assertEquals(2, buy(item, 2, "a"));
        assertEquals(2, buy(item, 2, "a"), "says what it bought before");
        assertEquals(1, buy(item, 1, "b"));
        assertEquals(1, buy(item, 1, "b"), "though none is left");
        assertThrows(RejectedException.class, () -> buy(item, 1, "c"));
        assertEquals(List.of(), new ConsistencyCheck(source).violations());
    }

    @Test
    void purchaseBelowTheHighestBid_isRejected() throws Exception {
        long item = offered();
        bid(item, 3, 199);
        buy(item, 1, "");
        bid(item, 3, 200);
        assertEquals(409, assertThrows(RejectedException.class, () -> buy(item, 1, "")).status());
        assertEquals(List.of(), new ConsistencyCheck(source).violations());
        database.write(c -> Rows.change(c, "update buy_now set made = ?", now.plusSeconds(1)));
        assertTrue(
                new ConsistencyCheck(source)
                        .violations()
                        .toString()
                        .contains("for less than was bid"),
                "the check reports it");
    }

    @Test
    void itemThatOthersBought_isNotWon() throws Exception {
        long item = offered();
        bid(item, 3, 150);
        buy(item, 3, "");
        Instant begin = now.minusSeconds(1);
        Instant end = now.plusSeconds(1);
        try (Connection c = source.getConnection()) {
            assertEquals(List.of(), Items.wonBy(c, 3, begin, end));
            assertEquals(1, Items.boughtBy(c, 2, begin).size());
            assertEquals(1, Items.soldBy(c, 1, begin, end).size());
        }
    }

    @Test
    void itemWithoutBids_isNotSold() throws Exception {
        long item = offered();
        Instant end = now.plusSeconds(86_400);
        try (Connection c = source.getConnection()) {
            assertEquals(List.of(), Items.soldBy(c, 1, end, end));
            bid(item, 3, 150);
            assertEquals(1, Items.soldBy(c, 1, end, end).size());
            assertEquals(1, Items.wonBy(c, 3, end, end).size());
        }
    }

    @Test
    void member_hasOneCommentPerItem() throws Exception {
        long item = offered();
        for (int rating : new int[] {5, 5, -3}) {
            var remark = new Members.Remark(2, 1, item, rating, "for " + rating);
            database.write(
                    c -> {
                        Members.comment(c, remark, now);
                        return rating;
                    });
        }
        assertEquals(List.of(), new ConsistencyCheck(source).violations());
        try (Connection c = source.getConnection()) {
            List<String> said =
                    Members.commentsOn(c, 1).stream()
                            .map(Comment::remark)
                            .filter(each -> each.startsWith("for "))
                            .toList();
            assertEquals(List.of("for -3"), said);
        }
    }

    @Test
    void pages_haveALimitedLength() throws Exception {
        long item = offered();
        try (Connection c = source.getConnection()) {
            Rows.change(
                    c,
                    "insert into comments (from_user_id, to_user_id, item_id, rating, made, remark)"
                            + " select 2, 1, x, 0, ?, 'no. ' || x from system_range(1, 1000)",
                    now);
            Rows.change(
                    c,
                    "insert into bids (user_id, item_id, qty, bid, max_bid, made)"
                            + " select 2, ?, 1, x, x, ? from system_range(1, 1000)",
                    item,
                    now);
            Rows.change(
                    c,
                    "insert into buy_now (buyer_id, item_id, qty, made, form)"
                            + " select 2, ?, 1, ?, '' from system_range(1, 1000)",
                    item,
                    now);
            List<Comment> comments = Members.commentsOn(c, 1);
            assertEquals(200, comments.size());
            assertEquals("no. 1000", comments.getFirst().remark(), "the last first");
            List<Bid> bids = Deals.history(c, item);
            assertEquals(500, bids.size());
            assertEquals(1_000, bids.getFirst().amount());
            assertEquals(200, Items.boughtBy(c, 2, now).size());
        }
    }

    /// In Berlin's local time, both are 2:30.
    @ParameterizedTest
    @ValueSource(strings = {"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"})
    void times_areIndependentOfTheDatabasesZone(Instant at) throws Exception {
        var berlin = new JdbcDataSource();
        berlin.setURL("jdbc:h2:mem:zone" + System.nanoTime() + ";TIME ZONE=Europe/Berlin");
        try (Connection c = berlin.getConnection()) {
            Rows.change(c, "create table t (made timestamp not null)");
            Rows.change(c, "insert into t values (?)", at);
            assertEquals(at, Rows.one(c, row -> Rows.instant(row, "made"), "select made from t"));
        }
    }

    @Test
    void foreignTables_areNotChanged() throws Exception {
        var others = new JdbcDataSource();
        others.setURL("jdbc:h2:mem:others" + System.nanoTime());
        try (Connection c = others.getConnection()) {
            Rows.change(c, "create table users (name varchar(10))");
            Rows.change(c, "insert into users values ('precious')");
            assertEquals(false, Schema.isFilled(c));
            var rejected = assertThrows(SQLException.class, () -> Schema.create(c));
            String says = String.valueOf(rejected.getMessage());
            assertTrue(says.contains("'users'"), says);
            assertEquals(
                    "precious", Rows.one(c, row -> row.getString(1), "select name from users"));
            Rows.change(c, "delete from users");
            Schema.create(c);
        }
    }
}
