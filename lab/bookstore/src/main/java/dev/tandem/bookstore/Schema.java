package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// The tables of TPC-W and the indexes of its well-known implementations. Money is in cents, and
/// discounts and taxes in whole percent; passwords are hashed; a cart line has no price.
final class Schema {
    private static final List<String> TABLES =
            List.of(
                    "create table country (co_id bigint primary key, co_name varchar(50) not null,"
                            + " co_exchange double precision not null, co_currency varchar(18) not"
                            + " null)",
                    "create table address (addr_id KEY_TYPE, addr_street1 varchar(40) not null,"
                            + " addr_street2 varchar(40) not null, addr_city varchar(30) not null,"
                            + " addr_state varchar(20) not null, addr_zip varchar(10) not null,"
                            + " addr_co_id bigint not null)",
                    "create table author (a_id bigint primary key, a_fname varchar(20) not null,"
                            + " a_lname varchar(20) not null, a_mname varchar(20) not null, a_dob"
                            + " date not null, a_bio varchar(500) not null)",
                    "create table customer (c_id KEY_TYPE, c_uname varchar(20) not null, c_passwd"
                            + " varchar(120) not null, c_fname varchar(17) not null, c_lname"
                            + " varchar(17) not null, c_addr_id bigint not null, c_phone"
                            + " varchar(18) not null, c_email varchar(50) not null, c_since date"
                            + " not null, c_discount int not null, c_balance bigint not null,"
                            + " c_ytd_pmt bigint not null, c_birthdate date not null, c_data"
                            + " varchar(500) not null)",
                    "create table item (i_id bigint primary key, i_title varchar(60) not null,"
                            + " i_a_id bigint not null, i_pub_date date not null, i_publisher"
                            + " varchar(60) not null, i_subject varchar(60) not null, i_desc"
                            + " varchar(500) not null, i_related1 bigint not null, i_related2"
                            + " bigint not null, i_related3 bigint not null, i_related4 bigint not"
                            + " null, i_related5 bigint not null, i_thumbnail varchar(40) not null,"
                            + " i_image varchar(40) not null, i_srp bigint not null, i_cost bigint"
                            + " not null, i_avail date not null, i_stock int not null, i_isbn"
                            + " varchar(13) not null, i_page int not null, i_backing varchar(15)"
                            + " not null, i_dimensions varchar(25) not null)",
                    "create table orders (o_id KEY_TYPE, o_c_id bigint not null, o_date timestamp"
                            + " not null default current_timestamp, o_sub_total bigint not null,"
                            + " o_tax bigint not null, o_total bigint not null, o_ship_type"
                            + " varchar(10) not null, o_ship_date timestamp not null default"
                            + " current_timestamp, o_bill_addr_id bigint not null, o_ship_addr_id"
                            + " bigint not null, o_status varchar(15) not null)",
                    "create table order_line (ol_id int not null, ol_o_id bigint not null, ol_i_id"
                            + " bigint not null, ol_qty int not null, ol_discount int not null,"
                            + " ol_comments varchar(110) not null, primary key (ol_o_id, ol_id))",
                    "create table cc_xacts (cx_o_id bigint primary key, cx_type varchar(10) not"
                            + " null, cx_num varchar(20) not null, cx_name varchar(31) not null,"
                            + " cx_expire date not null, cx_xact_amt bigint not null, cx_xact_date"
                            + " timestamp not null default current_timestamp, cx_co_id bigint not"
                            + " null)",
                    "create table shopping_cart (sc_id KEY_TYPE, sc_time timestamp not null default"
                            + " current_timestamp)",
                    "create table shopping_cart_line (scl_sc_id bigint not null, scl_i_id bigint"
                            + " not null, scl_qty int not null, primary key (scl_sc_id,"
                            + " scl_i_id))");

    /// Created after the tables are filled.
    private static final List<String> INDEXES =
            List.of(
                    "create index author_lname on author (a_lname)",
                    "create index address_country on address (addr_co_id)",
                    "create index address_zip on address (addr_zip)",
                    "create index customer_address on customer (c_addr_id)",
                    "create unique index customer_uname on customer (c_uname)",
                    "create index item_title on item (i_title)",
                    "create index item_subject on item (i_subject)",
                    "create index item_author on item (i_a_id)",
                    "create index order_line_item on order_line (ol_i_id)",
                    "create index country_name on country (co_name)",
                    "create index orders_customer on orders (o_c_id)",
                    "create index cart_line_item on shopping_cart_line (scl_i_id)");

    private Schema() {}

    /// Whether there is a store already.
    static boolean isFilled(Connection c) throws SQLException {
        for (String name : List.of("cc_xacts", "CC_XACTS")) {
            try (ResultSet tables = c.getMetaData().getTables(c.getCatalog(), null, name, null)) {
                if (tables.next()) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Creates a store and fills it.
    static void create(Connection c, Dialect dialect, Population population) throws SQLException {
        all(c, dialect, TABLES);
        new Populator(c, population).run();
        all(c, dialect, INDEXES);
        if (dialect.mustRestartKeys()) {
            restart(c, "address", "addr_id", population.addresses());
            restart(c, "customer", "c_id", population.customers());
            restart(c, "orders", "o_id", population.orders());
        }
    }

    private static void all(Connection c, Dialect dialect, List<String> statements)
            throws SQLException {
        try (Statement statement = c.createStatement()) {
            for (String each : statements) {
                statement.execute(dialect.statement(each));
            }
        }
    }

    private static void restart(Connection c, String table, String key, int last)
            throws SQLException {
        try (Statement statement = c.createStatement()) {
            statement.execute(
                    "alter table %s alter column %s restart with %d"
                            .formatted(table, key, last + 1));
        }
    }
}
