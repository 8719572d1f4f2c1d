package dev.tandem.auction;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// Puts an auction's database back to what it was: what members add makes searching slower, so that
/// of two measurements the second would have a slower database.
///
/// The first call keeps what trading changes, and each later one puts it back. There must be no
/// trading meanwhile. One thing stays: the text and date of a comment that its writer has replaced.
public final class Restoring {
    /// The last one made is the sign that all are there.
    private static final String ENDS = "auction_kept_ends";

    private static final List<String> TABLES =
            List.of("auction_kept_items", "auction_kept_users", "auction_kept_comments", ENDS);

    private static final List<String> KEPT =
            List.of(
                    """
                    create table auction_kept_items as
                    select id, quantity, nb_of_bids, max_bid, end_date from items\
                    """,
                    "create index auction_kept_items_id on auction_kept_items (id)",
                    "create table auction_kept_users as select id, rating from users",
                    "create index auction_kept_users_id on auction_kept_users (id)",
                    "create table auction_kept_comments as select id, rating from comments",
                    "create index auction_kept_comments_id on auction_kept_comments (id)",
                    """
                    create table auction_kept_ends as
                    select (select coalesce(max(id), 0) from users) as last_user,
                    (select coalesce(max(id), 0) from items) as last_item,
                    (select coalesce(max(id), 0) from bids) as last_bid,
                    (select coalesce(max(id), 0) from comments) as last_comment,
                    (select coalesce(max(id), 0) from buy_now) as last_purchase\
                    """);

    private static final List<String> RESTORED =
            List.of(
                    "delete from buy_now where id > (select last_purchase from auction_kept_ends)",
                    "delete from comments where id > (select last_comment from auction_kept_ends)",
                    "delete from bids where id > (select last_bid from auction_kept_ends)",
                    "delete from items where id > (select last_item from auction_kept_ends)",
                    "delete from users where id > (select last_user from auction_kept_ends)",
                    """
                    update items set
                    quantity = (select k.quantity from auction_kept_items k where k.id = items.id),
                    nb_of_bids =
                    (select k.nb_of_bids from auction_kept_items k where k.id = items.id),
                    max_bid = (select k.max_bid from auction_kept_items k where k.id = items.id),
                    end_date = (select k.end_date from auction_kept_items k where k.id = items.id)
                    where exists (select 1 from auction_kept_items k where k.id = items.id
                    and (k.quantity <> items.quantity or k.nb_of_bids <> items.nb_of_bids
                    or k.max_bid <> items.max_bid or k.end_date <> items.end_date))\
                    """,
                    """
                    update users set
                    rating = (select k.rating from auction_kept_users k where k.id = users.id)
                    where exists (select 1 from auction_kept_users k where k.id = users.id
                    and k.rating <> users.rating)\
                    """,
                    """
                    update comments set
                    rating = (select k.rating from auction_kept_comments k where k.id = comments.id)
                    where exists (select 1 from auction_kept_comments k where k.id = comments.id
                    and k.rating <> comments.rating)\
                    """);

    private Restoring() {}

    /// Keeps or restores a database from outside the site. Prints nothing.
    ///
    /// @param words the database's URL and user
    /// @throws SQLException if that fails; after a failed restoration it is as it was
    public static void main(String[] words) throws SQLException {
        try (var pool = new HikariDataSource()) {
            pool.setDriverClassName(Dialect.ofUrl(words[0]).driver());
            pool.setJdbcUrl(words[0]);
            pool.setUsername(words[1]);
            pool.setMaximumPoolSize(1);
            try (Connection connection = pool.getConnection()) {
                run(connection);
            }
        }
    }

    static void run(Connection connection) throws SQLException {
        if (!Schema.hasRows(connection, ENDS)) {
            // Some may be there, of a call that failed.
            forget(connection);
            executeAll(connection, KEPT);
            return;
        }
        connection.setAutoCommit(false);
        try {
            executeAll(connection, RESTORED);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /// Drops what was kept, of a database that is filled anew.
    static void forget(Connection connection) throws SQLException {
        executeAll(
                connection, TABLES.stream().map(table -> "drop table if exists " + table).toList());
    }

    private static void executeAll(Connection connection, List<String> statements)
            throws SQLException {
        try (var statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }
}
