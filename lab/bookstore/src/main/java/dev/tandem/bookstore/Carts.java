package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Shopping carts.
final class Carts {
    /// The maximum quantity of a title.
    static final int QUANTITY_MAX = 999;

    /// The maximum number of titles.
    private static final int LINES_MAX = 100;

    private Carts() {}

    static long create(Connection c) throws SQLException {
        return Sql.insert(
                c, "sc_id", "insert into shopping_cart (sc_time) values (current_timestamp)");
    }

    static boolean isThere(Connection c, long cart) throws SQLException {
        return Sql.change(
                        c,
                        "update shopping_cart set sc_time = current_timestamp where sc_id = ?",
                        cart)
                == 1;
    }

    /// Adds one of a title. Its cart's row is locked.
    static void add(Connection c, long cart, long item) throws SQLException {
        int more =
                Sql.change(
                        c,
                        "update shopping_cart_line set scl_qty = scl_qty + 1 where scl_sc_id = ?"
                                + " and scl_i_id = ? and scl_qty < ?",
                        cart,
                        item,
                        QUANTITY_MAX);
        boolean isThere =
                more == 1
                        || Sql.number(
                                        c,
                                        "select count(*) from shopping_cart_line where scl_sc_id ="
                                                + " ? and (scl_i_id = ? or (select count(*) from"
                                                + " shopping_cart_line where scl_sc_id = ?) >= ?)",
                                        cart,
                                        item,
                                        cart,
                                        LINES_MAX)
                                > 0;
        if (!isThere) {
            Sql.change(
                    c,
                    "insert into shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) select ?, i_id,"
                            + " 1 from item where i_id = ?",
                    cart,
                    item);
        }
    }

    /// @param quantities by item; 0 removes it
    static void refresh(Connection c, long cart, Map<Long, Integer> quantities)
            throws SQLException {
        for (Map.Entry<Long, Integer> each : new TreeMap<>(quantities).entrySet()) {
            if (each.getValue() == 0) {
                Sql.change(
                        c,
                        "delete from shopping_cart_line where scl_sc_id = ? and scl_i_id = ?",
                        cart,
                        each.getKey());
            } else {
                Sql.change(
                        c,
                        "update shopping_cart_line set scl_qty = ? where scl_sc_id = ? and scl_i_id"
                                + " = ?",
                        each.getValue(),
                        cart,
                        each.getKey());
            }
        }
    }

    static boolean isEmpty(Connection c, long cart) throws SQLException {
        return Sql.number(c, "select count(*) from shopping_cart_line where scl_sc_id = ?", cart)
                == 0;
    }

    static void clear(Connection c, long cart) throws SQLException {
        Sql.change(c, "delete from shopping_cart_line where scl_sc_id = ?", cart);
    }

    static Cart load(Connection c, long cart, int discount) throws SQLException {
        List<Cart.Line> lines =
                Sql.list(
                        c,
                        row ->
                                new Cart.Line(
                                        row.getLong("i_id"),
                                        row.getString("i_title"),
                                        row.getInt("scl_qty"),
                                        row.getLong("i_cost")),
                        "select i_id, i_title, scl_qty, i_cost from shopping_cart_line join item on"
                                + " i_id = scl_i_id where scl_sc_id = ? order by i_id",
                        cart);
        return new Cart(cart, lines, discount);
    }
}
