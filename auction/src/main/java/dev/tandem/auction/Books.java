package dev.tandem.auction;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/// Whether the shop's books balance: what is kept twice says the same, and nothing happened that
/// must not. To be asked while nobody trades. Safe for use by any thread.
public final class Books {
    /// Each counts what is wrong.
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
                            "members whose rating is not the sum of what was said of them",
                            """
                            select count(*) from users u where u.rating <>
                            (select coalesce(sum(k.rating), 0) from comments k
                            where k.to_user_id = u.id)\
                            """),
                    Map.entry(
                            "comments by or on nobody",
                            """
                            select count(*) from comments k where
                            not exists (select 1 from users u where u.id = k.from_user_id)
                            or not exists (select 1 from users u where u.id = k.to_user_id)\
                            """));

    private final DataSource source;

    /// @param source of the shop's database
    public Books(DataSource source) {
        this.source = source;
    }

    /// Looks at a shop's database from outside: prints what does not balance, a line each, and
    /// then ends with status 1.
    ///
    /// @param words the database's URL and user
    public static void main(String[] words) throws SQLException {
        try (var pool = new HikariDataSource()) {
            pool.setDriverClassName(Dialect.ofUrl(words[0]).driver());
            pool.setJdbcUrl(words[0]);
            pool.setUsername(words[1]);
            List<String> complaints = new Books(pool).complaints();
            complaints.forEach(System.out::println);
            System.exit(complaints.isEmpty() ? 0 : 1);
        }
    }

    /// What does not balance, a sentence each; empty if all does.
    ///
    /// @throws SQLException if the database cannot be read
    public List<String> complaints() throws SQLException {
        var complaints = new ArrayList<String>();
        try (Connection connection = source.getConnection()) {
            for (var rule : RULES.entrySet()) {
                Long count = Rows.one(connection, row -> row.getLong(1), rule.getValue());
                if (count != null && count > 0) {
                    complaints.add(count + " " + rule.getKey());
                }
            }
        }
        complaints.sort(null);
        return complaints;
    }
}
