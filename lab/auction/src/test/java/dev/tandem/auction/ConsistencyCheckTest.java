package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The check must find each kind of violation.
class ConsistencyCheckTest {
    private static final Population TINY = new Population(10, 20, 5, 100, 7);

    static JdbcDataSource filled() throws Exception {
        var source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:check" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection()) {
            Schema.create(connection);
            new Populator(connection, TINY).run();
        }
        return source;
    }

    @Test
    void newPopulation_balances() throws Exception {
        assertEquals(List.of(), new ConsistencyCheck(filled()).violations());
    }

    @Test
    void sameSeed_givesTheSamePopulation() throws Exception {
        assertEquals(sums(filled()), sums(filled()));
    }

    private static List<Long> sums(JdbcDataSource source) throws Exception {
        try (Connection c = source.getConnection()) {
            return Rows.all(
                    c,
                    row -> row.getLong(1),
                    """
                    select sum(initial_price) from items union all select sum(bid) from bids
                    union all select sum(rating) from users union all select sum(id * seller) from items\
                    """);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update items set nb_of_bids = nb_of_bids + 1 where id = 1",
                "update items set max_bid = max_bid + 1 where id = 2",
                "update items set quantity = quantity - 1 where id = 3",
                "update items set quantity = -1 where id = 4",
                "update users set rating = rating + 1 where id = 1",
                "update bids set made = timestamp '2100-01-01 00:00:00' where id = 1",
                "update bids set bid = 1 where id = 1",
                "update comments set from_user_id = 999 where id = 1",
                "update comments set to_user_id = from_user_id where id = 1",
                "update bids set user_id = 999 where id = 1",
                "delete from users where id = 1",
                "update bids set qty = 0 where id = 1",
                "update bids set bid = max_bid + 1 where id = 1",
                "update items set category = 99 where id = 1",
                "insert into bids (user_id, item_id, qty, bid, max_bid, made)"
                        + " values (1, 999, 1, 1, 1, current_timestamp)",
                "insert into comments (from_user_id, to_user_id, item_id, rating, made, remark)"
                        + " select from_user_id, to_user_id, item_id, 0, made, remark from comments"
                        + " where id = 1",
                "update bids set user_id = (select seller from items i where i.id = item_id) where"
                        + " item_id = (select min(item_id) from bids)"
            })
    void everyViolation_isReported(String damage) throws Exception {
        JdbcDataSource source = filled();
        try (Connection c = source.getConnection()) {
            Rows.change(c, damage);
        }
        assertFalse(new ConsistencyCheck(source).violations().isEmpty(), damage);
    }

    /// By the seller, too late, by an unknown member, of an item that cannot be bought so, of an
    /// unknown item; a form submitted twice.
    @ParameterizedTest
    @CsvSource({
        // buyer, item, minutes from now, form
        "2, 1, 1, a",
        "1, 1, 1, b",
        "2, 1, 99999, b",
        "999, 1, 1, b",
        "2, 2, 1, b",
        "2, 999, 1, b"
    })
    void wrongPurchase_isReported(long buyer, long item, int minutes, String form)
            throws Exception {
        JdbcDataSource source = filled();
        try (Connection c = source.getConnection()) {
            Rows.change(c, "delete from bids where item_id < 3");
            Rows.change(
                    c,
                    "update items set nb_of_bids = 0, max_bid = 0, seller = 1, offered = 3,"
                            + " quantity = 2, buy_now = 0 where id < 3");
            Rows.change(
                    c, "update comments set from_user_id = 3, to_user_id = 1 where item_id < 3");
            Rows.change(c, "update items set quantity = 1, buy_now = 100 where id = 1");
            rate(c);
            bought(c, 2, 1, Instant.now().plusSeconds(60), "a");
            assertEquals(
                    1, new ConsistencyCheck(source).violations().size(), "one piece is missing");
            bought(c, buyer, item, Instant.now().plusSeconds(60L * minutes), form);
        }
        List<String> violations = new ConsistencyCheck(source).violations();
        assertTrue(
                violations.stream().anyMatch(each -> each.contains("purchases")), "" + violations);
    }

    private static void rate(Connection c) throws Exception {
        Rows.change(
                c,
                "update users u set rating = (select coalesce(sum(rating), 0) from comments where"
                        + " to_user_id = u.id)");
    }

    private static void bought(Connection c, long buyer, long item, Instant made, String form)
            throws Exception {
        Rows.change(
                c,
                "insert into buy_now (buyer_id, item_id, qty, made, form) values (?, ?, 1, ?, ?)",
                buyer,
                item,
                made,
                form);
    }

    @Test
    void soldOut_endsTheAuction() throws Exception {
        JdbcDataSource source = filled();
        var database = new Database(source);
        Instant now = Instant.now();
        var offer = new Offer("x", "y", 100, 0, 200, 3, 1, 1);
        long id = database.write(c -> Items.add(c, offer, 1, now));
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        database.write(c -> Deals.buy(c, new Deals.Purchase(id, 2, 1, ""), clock));
        Item sold = database.find(c -> Items.item(c, id));
        assertEquals(true, sold != null && sold.isOver(now));
    }
}
