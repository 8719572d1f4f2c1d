package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The store's stock: the queries of TPC-W that only read.
final class Catalog {
    /// Lists have at most 50 books.
    private static final String MOST = " limit 50";

    /// Best sellers are those of the last 3,333 orders.
    private static final int LAST_ORDERS = 3_333;

    private static final String BOOKS =
            "select i_id, i_title, a_fname, a_lname, i_cost from item join author on a_id = i_a_id"
                    + " where ";

    private final int items;

    Catalog(int items) {
        this.items = items;
    }

    private static Book book(ResultSet row) throws SQLException {
        return new Book(
                row.getLong("i_id"),
                row.getString("i_title"),
                row.getString("a_fname") + " " + row.getString("a_lname"),
                row.getLong("i_cost"));
    }

    /// Returns five books that go with one, shown on most pages.
    ///
    /// @param item 0: with any
    List<Book> promoted(Connection c, long item) throws SQLException {
        long base =
                item == 0
                        ? 1 + java.util.concurrent.ThreadLocalRandom.current().nextInt(items)
                        : item;
        return Sql.list(
                c,
                Catalog::book,
                "select r.i_id, r.i_title, a_fname, a_lname, r.i_cost from item b join item r on"
                        + " r.i_id in (b.i_related1, b.i_related2, b.i_related3, b.i_related4,"
                        + " b.i_related5) join author on a_id = r.i_a_id where b.i_id = ?",
                base);
    }

    @Nullable BookDetail detail(Connection c, long item) throws SQLException {
        return Sql.find(
                c,
                row ->
                        new BookDetail(
                                book(row),
                                new BookDetail.About(
                                        row.getString("i_subject"),
                                        row.getString("i_desc"),
                                        row.getString("i_publisher"),
                                        row.getDate("i_pub_date").toLocalDate(),
                                        row.getString("i_backing")),
                                row.getLong("i_srp"),
                                row.getInt("i_stock"),
                                row.getString("i_isbn"),
                                row.getInt("i_page")),
                "select * from item join author on a_id = i_a_id where i_id = ?",
                item);
    }

    List<Book> newest(Connection c, String subject) throws SQLException {
        return Sql.list(
                c,
                Catalog::book,
                BOOKS + "i_subject = ? order by i_pub_date desc, i_title" + MOST,
                subject);
    }

    List<Book> bestSelling(Connection c, String subject) throws SQLException {
        long last = Sql.number(c, "select max(o_id) from orders");
        return Sql.list(
                c,
                Catalog::book,
                "select i_id, i_title, a_fname, a_lname, i_cost, sum(ol_qty) as sold from"
                        + " order_line join item on i_id = ol_i_id join author on a_id = i_a_id"
                        + " where ol_o_id > ? and i_subject = ? group by i_id, i_title, a_fname,"
                        + " a_lname, i_cost order by sold desc, i_id"
                        + MOST,
                last - LAST_ORDERS,
                subject);
    }

    List<Book> ofSubject(Connection c, String subject) throws SQLException {
        return Sql.list(c, Catalog::book, BOOKS + "i_subject = ? order by i_title" + MOST, subject);
    }

    List<Book> ofTitle(Connection c, String part) throws SQLException {
        return Sql.list(
                c,
                Catalog::book,
                BOOKS + "i_title like ? escape '!' order by i_title" + MOST,
                containing(part));
    }

    List<Book> ofAuthor(Connection c, String part) throws SQLException {
        return Sql.list(
                c,
                Catalog::book,
                BOOKS + "a_lname like ? escape '!' order by i_title" + MOST,
                containing(part));
    }

    /// User input is matched literally.
    private static String containing(String part) {
        String plain = part.replace("!", "!!").replace("%", "!%").replace("_", "!_");
        return "%" + plain + "%";
    }
}
