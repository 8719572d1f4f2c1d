package dev.tandem.auction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// The tables of RUBiS 1.4, with these differences. Money is in cents, not floating point. The
/// quantity that an item was offered with is kept (`offered`), so that consistency can be checked.
/// Passwords are hashed. Times are in UTC. A purchase keeps the form it was made by, since a form
/// that is submitted twice buys once.
///
/// As in RUBiS there is no index on `items.end_date`: searching is the expensive query.
final class Schema {
    private static final String ITEM_COLUMNS =
            """
            name varchar(100) not null,
            description TEXT_TYPE not null,
            initial_price bigint not null,
            offered int not null,
            quantity int not null,
            reserve_price bigint not null,
            buy_now bigint not null,
            nb_of_bids int not null,
            max_bid bigint not null,
            start_date TIME_TYPE not null,
            end_date TIME_TYPE not null,
            seller bigint not null,
            category bigint not null)\
            """;

    /// Children before their parents, the order for dropping them.
    static final List<String> TABLES =
            List.of(
                    "buy_now",
                    "comments",
                    "bids",
                    "old_items",
                    "items",
                    "users",
                    "regions",
                    "categories");

    private static final List<String> STATEMENTS =
            List.of(
                    "create table categories (id KEY_TYPE, name varchar(50) not null)",
                    "create table regions (id KEY_TYPE, name varchar(25) not null)",
                    """
                    create table users (id KEY_TYPE,
                    firstname varchar(20) not null,
                    lastname varchar(20) not null,
                    nickname varchar(20) not null unique,
                    password varchar(200) not null,
                    email varchar(50) not null,
                    rating int not null,
                    balance bigint not null,
                    creation_date TIME_TYPE not null,
                    region bigint not null)\
                    """,
                    "create table items (id KEY_TYPE, " + ITEM_COLUMNS,
                    "create table old_items (id bigint primary key, " + ITEM_COLUMNS,
                    """
                    create table bids (id KEY_TYPE,
                    user_id bigint not null,
                    item_id bigint not null,
                    qty int not null,
                    bid bigint not null,
                    max_bid bigint not null,
                    made TIME_TYPE not null)\
                    """,
                    """
                    create table comments (id KEY_TYPE,
                    from_user_id bigint not null,
                    to_user_id bigint not null,
                    item_id bigint not null,
                    rating int not null,
                    made TIME_TYPE not null,
                    remark TEXT_TYPE not null)\
                    """,
                    """
                    create table buy_now (id KEY_TYPE,
                    buyer_id bigint not null,
                    item_id bigint not null,
                    qty int not null,
                    made TIME_TYPE not null,
                    form varchar(24) not null)\
                    """,
                    "create index users_region on users (region)",
                    "create index items_seller on items (seller)",
                    "create index items_category on items (category)",
                    "create index old_items_seller on old_items (seller)",
                    "create index old_items_category on old_items (category)",
                    "create index bids_item on bids (item_id)",
                    "create index bids_user on bids (user_id)",
                    "create index comments_from on comments (from_user_id)",
                    "create index comments_to on comments (to_user_id)",
                    "create index comments_item on comments (item_id)",
                    "create index buy_now_buyer on buy_now (buyer_id)",
                    "create index buy_now_item on buy_now (item_id)");

    private Schema() {}

    /// Whether the tables exist and have any row: a population is inserted in one transaction.
    static boolean isFilled(Connection connection) throws SQLException {
        return hasRows(connection, "categories");
    }

    /// Returns false also if there is no such table.
    static boolean hasRows(Connection connection, String table) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("select 1 from " + table + " limit 1")) {
            return rows.next();
        } catch (SQLException e) {
            if (isUnknownTable(e)) {
                return false;
            }
            throw e;
        }
    }

    /// Class 42 of SQLSTATE is for unknown objects; H2 has 42S02 and 42S04, PostgreSQL 42P01.
    private static boolean isUnknownTable(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("42");
    }

    /// Creates the tables. Existing ones are dropped if they are empty, as after an interrupted
    /// population; another application may have tables of these names, too.
    ///
    /// @throws SQLException also if one of them has a row
    static void create(Connection connection) throws SQLException {
        for (String table : TABLES) {
            if (hasRows(connection, table)) {
                throw new SQLException(
                        "it has a table '"
                                + table
                                + "' with rows that are not the auction's: give the auction a"
                                + " database of its own");
            }
        }
        Dialect dialect = Dialect.of(connection.getMetaData().getDatabaseProductName());
        try (var statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute("drop table if exists " + table);
            }
            Restoring.forget(connection);
            for (String text : STATEMENTS) {
                statement.execute(dialect.statement(text));
            }
        }
    }
}
