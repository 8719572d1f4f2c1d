package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The check of the books must see what is wrong with them.
class BooksTest {
    private static final Population TINY = new Population(10, 20, 5, 100, 7);

    private static JdbcDataSource filled() throws Exception {
        var source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:books" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection()) {
            Schema.create(connection);
            new Populator(connection, TINY).run();
        }
        return source;
    }

    @Test
    void newPopulation_balances() throws Exception {
        assertEquals(List.of(), new Books(filled()).complaints());
    }

    @Test
    void population_isTheSameForTheSameSeed() throws Exception {
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
                "update bids set user_id = (select seller from items i where i.id = item_id) where"
                        + " item_id = (select min(item_id) from bids)"
            })
    void whatIsWrong_isSeen(String damage) throws Exception {
        JdbcDataSource source = filled();
        try (Connection c = source.getConnection()) {
            Rows.change(c, damage);
        }
        assertFalse(new Books(source).complaints().isEmpty(), damage);
    }

    @Test
    void soldOut_endsTheAuction() throws Exception {
        JdbcDataSource source = filled();
        var database = new Database(source);
        Instant now = Instant.now();
        var offer = new Offer("x", "y", 100, 0, 200, 3, 1, 1);
        long id = database.write(c -> Items.add(c, offer, 1, now));
        database.write(
                c -> {
                    Deals.buy(c, new Deals.Purchase(id, 2, 1), now);
                    return id;
                });
        Item sold = database.find(c -> Items.item(c, id));
        assertEquals(true, sold != null && sold.isOver(now));
    }
}
