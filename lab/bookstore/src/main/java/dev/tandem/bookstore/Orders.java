package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Buying, and the administrator's changes.
final class Orders {
    /// With less than this stock of a book, 21 more are ordered.
    private static final int STOCK_LEAST = 10;

    private static final int STOCK_MORE = 21;

    /// Related books are computed from the last 10,000 orders.
    private static final int LAST_ORDERS = 10_000;

    private Orders() {}

    /// @param shipTo the number of an address
    record Purchase(Customer customer, Cart cart, String shipping, long shipTo, Card card) {}

    record Card(String kind, String number, String name, LocalDate expires) {}

    /// Buys the content of the cart, and empties it.
    static long buy(Connection c, Purchase purchase) throws SQLException {
        Cart cart = purchase.cart();
        Instant now = Instant.now();
        long order =
                Sql.insert(
                        c,
                        "o_id",
                        "insert into orders (o_c_id, o_date, o_sub_total, o_tax, o_total,"
                                + " o_ship_type, o_ship_date, o_bill_addr_id, o_ship_addr_id,"
                                + " o_status) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING')",
                        purchase.customer().id(),
                        Timestamp.from(now),
                        cart.subTotal(),
                        cart.tax(),
                        cart.total(),
                        purchase.shipping(),
                        Timestamp.from(
                                now.plusSeconds(ThreadLocalRandom.current().nextLong(7 * 86_400L))),
                        purchase.customer().address().id(),
                        purchase.shipTo());
        int number = 0;
        for (Cart.Line line : cart.lines()) { // by item, against deadlocks between orders
            line(c, order, ++number, line, cart.discount());
        }
        pay(c, order, purchase);
        Carts.clear(c, cart.id());
        return order;
    }

    private static void line(Connection c, long order, int number, Cart.Line line, int discount)
            throws SQLException {
        Sql.change(
                c,
                "insert into order_line (ol_id, ol_o_id, ol_i_id, ol_qty, ol_discount, ol_comments)"
                        + " values (?, ?, ?, ?, ?, '')",
                number,
                order,
                line.item(),
                line.quantity(),
                discount);
        Sql.change(
                c,
                "update item set i_stock = case when i_stock - ? < "
                        + STOCK_LEAST
                        + " then i_stock - ? + "
                        + STOCK_MORE
                        + " * (1 + ?) else i_stock - ? end where i_id = ?",
                line.quantity(),
                line.quantity(),
                line.quantity() / STOCK_MORE,
                line.quantity(),
                line.item());
    }

    private static void pay(Connection c, long order, Purchase purchase) throws SQLException {
        Card card = purchase.card();
        Sql.change(
                c,
                "insert into cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expire, cx_xact_amt,"
                        + " cx_xact_date, cx_co_id) values (?, ?, ?, ?, ?, ?, ?, 1)",
                order,
                card.kind(),
                card.number(),
                card.name(),
                card.expires(),
                purchase.cart().total(),
                Timestamp.from(Instant.now()));
    }

    /// Returns the customer's last order.
    static @Nullable Order last(Connection c, long customer) throws SQLException {
        Order order =
                Sql.find(
                        c,
                        row ->
                                new Order(
                                        row.getLong("o_id"),
                                        row.getTimestamp("o_date").toInstant(),
                                        row.getString("o_status"),
                                        row.getString("o_ship_type"),
                                        row.getLong("o_total"),
                                        List.of()),
                        "select * from orders where o_c_id = ? order by o_date desc, o_id desc"
                                + " limit 1",
                        customer);
        if (order == null) {
            return null;
        }
        List<Order.Line> lines =
                Sql.list(
                        c,
                        row ->
                                new Order.Line(
                                        row.getLong("i_id"),
                                        row.getString("i_title"),
                                        row.getInt("ol_qty")),
                        "select i_id, i_title, ol_qty from order_line join item on i_id = ol_i_id"
                                + " where ol_o_id = ? order by ol_id",
                        order.id());
        return new Order(
                order.id(), order.made(), order.status(), order.shipping(), order.total(), lines);
    }

    /// Sets a book's price, and its related books to those that its buyers bought most.
    ///
    /// @return whether there is such a book
    static boolean administer(Connection c, long item, long cost) throws SQLException {
        int found =
                Sql.change(
                        c,
                        "update item set i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = ?"
                                + " where i_id = ?",
                        cost,
                        "/cover/" + item,
                        "/thumbnail/" + item,
                        LocalDate.now(),
                        item);
        if (found == 0) {
            return false;
        }
        long from = Sql.number(c, "select max(o_id) from orders") - LAST_ORDERS;
        List<Long> related =
                Sql.list(
                        c,
                        row -> row.getLong(1),
                        "select ol_i_id, sum(ol_qty) as sold from order_line join orders on o_id ="
                                + " ol_o_id where o_id > ? and ol_i_id <> ? and o_c_id in (select"
                                + " o_c_id from orders join order_line on ol_o_id = o_id where o_id"
                                + " > ? and ol_i_id = ?) group by ol_i_id order by sold desc,"
                                + " ol_i_id limit 5",
                        from,
                        item,
                        from,
                        item);
        for (int i = 0; i < related.size(); i++) {
            Sql.change(
                    c,
                    "update item set i_related" + (i + 1) + " = ? where i_id = ?",
                    related.get(i),
                    item);
        }
        return true;
    }
}
