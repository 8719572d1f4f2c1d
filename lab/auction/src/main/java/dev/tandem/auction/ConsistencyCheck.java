package dev.tandem.auction;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/// Checks the consistency of the shop's database: data that is kept twice must agree, and no
/// forbidden event may have happened. Must be called while there is no trading. Safe for use by any
/// thread.
public final class ConsistencyCheck {
    /// Each query counts violations.
    private static final Map<String, String> RULES =
            Map.ofEntries(
                    Map.entry(
                            "items whose number of bids is not that of their bids",
                            """
                            select count(*) from items i where i.nb_of_bids <>
                            (select count(*) from bids b where b.item_id = i.id)\
                            """),
                    Map.entry(
                            "items whose highest bid is not that of their bids",
                            """
                            select count(*) from items i where i.max_bid <>
                            (select coalesce(max(b.bid), 0) from bids b where b.item_id = i.id)\
                            """),
                    Map.entry(
                            "items of which more or fewer were sold than are gone",
                            """
                            select count(*) from items i where i.offered - i.quantity <>
                            (select coalesce(sum(n.qty), 0) from buy_now n
                            where n.item_id = i.id)\
                            """),
                    Map.entry(
                            "items of which fewer than none are left",
                            "select count(*) from items where quantity < 0"),
                    Map.entry(
                            "bids that were made after the end",
                            """
                            select count(*) from bids b join items i on i.id = b.item_id
                            where b.made > i.end_date\
                            """),
                    Map.entry(
                            "bids below the price asked",
                            """
                            select count(*) from bids b join items i on i.id = b.item_id
                            where b.bid < i.initial_price\
                            """),
                    Map.entry(
                            "bids that are not above those before",
                            """
                            select count(*) from bids a join bids b
                            on a.item_id = b.item_id and a.id < b.id
                            where b.bid <= a.bid\
                            """),
                    Map.entry(
                            "bids by the seller",
                            """
                            select count(*) from bids b join items i on i.id = b.item_id
                            where b.user_id = i.seller\
                            """),
                    Map.entry(
                            "bids or purchases of unknown items, or by unknown members",
                            """
                            select (select count(*) from bids b where
                            not exists (select 1 from users u where u.id = b.user_id)
                            or not exists (select 1 from items i where i.id = b.item_id)
                            and not exists (select 1 from old_items o where o.id = b.item_id))
                            + (select count(*) from buy_now n where
                            not exists (select 1 from users u where u.id = n.buyer_id)
                            or not exists (select 1 from items i where i.id = n.item_id))\
                            """),
                    Map.entry(
                            "bids or purchases of no piece, or of more than were offered",
                            """
                            select (select count(*) from bids b join items i on i.id = b.item_id
                            where b.qty < 1 or b.qty > i.offered)
                            + (select count(*) from buy_now n where n.qty < 1)\
                            """),
                    Map.entry(
                            "bids above the bidder's maximum",
                            "select count(*) from bids where bid > max_bid or bid < 1"),
                    Map.entry(
                            "purchases by the seller, or of items that cannot be bought at once",
                            """
                            select count(*) from buy_now n join items i on i.id = n.item_id
                            where n.buyer_id = i.seller or i.buy_now = 0\
                            """),
                    Map.entry(
                            "purchases after the end",
                            """
                            select count(*) from buy_now n join items i on i.id = n.item_id
                            where n.made > i.end_date\
                            """),
                    Map.entry(
                            "purchases for less than was bid before",
                            """
                            select count(*) from buy_now n join items i on i.id = n.item_id
                            where exists (select 1 from bids b where b.item_id = n.item_id
                            and b.made < n.made and b.bid >= i.buy_now)\
                            """),
                    Map.entry(
                            "purchases by a form that was sent before",
                            """
                            select count(*) from buy_now a join buy_now b
                            on a.item_id = b.item_id and a.buyer_id = b.buyer_id
                            and a.form = b.form and a.id < b.id where a.form <> ''\
                            """),
                    Map.entry(
                            "comments on oneself, or on a member who did not sell the item",
                            """
                            select count(*) from comments k where k.from_user_id = k.to_user_id
                            or not exists (select 1 from items i
                            where i.id = k.item_id and i.seller = k.to_user_id)
                            and not exists (select 1 from old_items o
                            where o.id = k.item_id and o.seller = k.to_user_id)\
                            """),
                    Map.entry(
                            "second comments by a member on one item",
                            """
                            select count(*) from comments a join comments b
                            on a.item_id = b.item_id and a.from_user_id = b.from_user_id
                            where a.id < b.id\
                            """),
                    Map.entry(
                            "items of unknown members or categories",
                            """
                            select count(*) from items i where
                            not exists (select 1 from users u where u.id = i.seller)
                            or not exists (select 1 from categories k where k.id = i.category)\
                            """),
                    Map.entry(
                            "members whose rating is not the sum of their comments' ratings",
                            """
                            select count(*) from users u where u.rating <>
                            (select coalesce(sum(k.rating), 0) from comments k
                            where k.to_user_id = u.id)\
                            """),
                    Map.entry(
                            "comments by or on unknown members",
                            """
                            select count(*) from comments k where
                            not exists (select 1 from users u where u.id = k.from_user_id)
                            or not exists (select 1 from users u where u.id = k.to_user_id)\
                            """));

    private final DataSource source;

    /// @param source of the shop's database
    public ConsistencyCheck(DataSource source) {
        this.source = source;
    }

    /// Checks a shop's database from outside: prints the violations, one line each, and then
    /// exits with status 1.
    ///
    /// @param words the database's URL and user
    public static void main(String[] words) throws SQLException {
        try (var pool = new HikariDataSource()) {
            pool.setDriverClassName(Dialect.ofUrl(words[0]).driver());
            pool.setJdbcUrl(words[0]);
            pool.setUsername(words[1]);
            List<String> violations = new ConsistencyCheck(pool).violations();
            violations.forEach(System.out::println);
            System.exit(violations.isEmpty() ? 0 : 1);
        }
    }

    /// Returns the violations, one sentence each; empty if there are none.
    ///
    /// @throws SQLException if the database cannot be read
    public List<String> violations() throws SQLException {
        var violations = new ArrayList<String>();
        try (Connection connection = source.getConnection()) {
            for (var rule : RULES.entrySet()) {
                Long count = Rows.one(connection, row -> row.getLong(1), rule.getValue());
                if (count != null && count > 0) {
                    violations.add(count + " " + rule.getKey());
                }
            }
        }
        violations.sort(null);
        return violations;
    }
}
