package dev.tandem.auction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// The tables of RUBiS 1.4, with three differences. Money is in cents, not floating point. The
/// quantity that an item was offered with is kept (`offered`), so that the books can be checked.
/// Passwords are hashed.
///
/// As in RUBiS there is no index on `items.end_date`: searching is the dear query.
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
            start_date timestamp not null default current_timestamp,
            end_date timestamp not null default current_timestamp,
            seller bigint not null,
            category bigint not null)\
            """;

    /// Children before their parents, as they must be dropped.
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
                    creation_date timestamp not null default current_timestamp,
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
                    made timestamp not null default current_timestamp)\
                    """,
                    """
                    create table comments (id KEY_TYPE,
                    from_user_id bigint not null,
                    to_user_id bigint not null,
                    item_id bigint not null,
                    rating int not null,
                    made timestamp not null default current_timestamp,
                    remark TEXT_TYPE not null)\
                    """,
                    """
                    create table buy_now (id KEY_TYPE,
                    buyer_id bigint not null,
                    item_id bigint not null,
                    qty int not null,
                    made timestamp not null default current_timestamp)\
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

    /// Whether the tables are there, with anything in them.
    static boolean isFilled(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from categories")) {
            return rows.next() && rows.getInt(1) > 0;
        } catch (SQLException e) {
            if (isUnknownTable(e)) {
                return false;
            }
            throw e;
        }
    }

    /// Class 42 of SQLSTATE is for what is not known; H2 has 42S02 and 42S04, PostgreSQL 42P01.
    private static boolean isUnknownTable(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith("42");
    }

    static void create(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection.getMetaData().getDatabaseProductName());
        try (var statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute("drop table if exists " + table);
            }
            for (String text : STATEMENTS) {
                statement.execute(dialect.say(text));
            }
        }
    }
}
