package dev.tandem.auction;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Items, found and offered.
final class Items {
    /// The page size of RUBiS.
    static final int PAGE = 20;

    /// The maximum number of items of each kind on the page 'about me'.
    private static final int OWN_MAX = 200;

    private static final String LINE =
            "i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date";

    private static final String WHOLE =
            """
            select i.*, u.nickname as seller_name from %s i
            join users u on u.id = i.seller where i.id = ?\
            """;

    private Items() {}

    /// Returns auctions that are not over yet, the soonest to end first. One more than a page, if
    /// there is one.
    static List<Line> inCategory(Connection c, long category, int page, Instant now)
            throws SQLException {
        return lines(
                c,
                "where i.category = ? and i.end_date >= ? and i.quantity >"
                        + " 0 order by i.end_date, i.id limit ? offset ?",
                category,
                now,
                PAGE + 1,
                page * PAGE);
    }

    /// Returns auctions of any category that are not over yet, the soonest to end first.
    static List<Line> endingSoon(Connection c, int count, Instant now) throws SQLException {
        return lines(
                c,
                "where i.end_date >= ? and i.quantity > 0" + " order by i.end_date, i.id limit ?",
                now,
                count);
    }

    static List<Line> inRegion(Connection c, Search search, Instant now) throws SQLException {
        return lines(
                c,
                "join users u on i.seller = u.id where u.region = ?"
                        + " and i.category = ? and i.end_date >= ? and i.quantity > 0"
                        + " order by i.end_date, i.id limit ? offset ?",
                search.region(),
                search.category(),
                now,
                PAGE + 1,
                search.page() * PAGE);
    }

    /// @param page from 0
    record Search(long region, long category, int page) {}

    /// An item for sale, or sold long ago.
    static @Nullable Item item(Connection c, long id) throws SQLException {
        Item item = forSale(c, id);
        return item != null ? item : Rows.one(c, Items::item, WHOLE.formatted("old_items"), id);
    }

    static @Nullable Item forSale(Connection c, long id) throws SQLException {
        return Rows.one(c, Items::item, WHOLE.formatted("items"), id);
    }

    /// Locks the item until the transaction ends. Must run in a transaction.
    static @Nullable Item locked(Connection c, long id) throws SQLException {
        Long found =
                Rows.one(
                        c,
                        row -> row.getLong(1),
                        "select id from items where id = ? for update",
                        id);
        return found == null ? null : forSale(c, id);
    }

    static long add(Connection c, Offer offer, long seller, Instant now) throws SQLException {
        return Rows.insert(
                c,
                """
                insert into items (name, description, initial_price, offered, quantity,
                reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category)
                values (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)\
                """,
                offer.name(),
                offer.description(),
                offer.initialPrice(),
                offer.quantity(),
                offer.quantity(),
                offer.reservePrice(),
                offer.buyNow(),
                now,
                now.plusSeconds(offer.days() * 86_400L),
                seller,
                offer.category());
    }

    static List<Line> sellingBy(Connection c, long user, Instant now) throws SQLException {
        return lines(
                c,
                "where i.seller = ? and i.end_date >= ?" + " order by i.end_date, i.id limit ?",
                user,
                now,
                OWN_MAX);
    }

    /// Items sold in part at least, or to the highest bidder.
    static List<Line> soldBy(Connection c, long user, Instant since, Instant now)
            throws SQLException {
        return lines(
                c,
                "where i.seller = ? and i.end_date between ? and ?"
                        + " and (i.quantity < i.offered"
                        + " or i.nb_of_bids > 0 and i.max_bid >= i.reserve_price)"
                        + " order by i.end_date desc, i.id limit ?",
                user,
                since,
                now,
                OWN_MAX);
    }

    static List<Line> bidOnBy(Connection c, long user, Instant now) throws SQLException {
        return lines(
                c,
                "where i.end_date >= ? and i.id in"
                        + " (select item_id from bids where user_id = ?)"
                        + " order by i.end_date, i.id limit ?",
                now,
                user,
                OWN_MAX);
    }

    /// Items won, unless another member has bought the last piece meanwhile.
    static List<Line> wonBy(Connection c, long user, Instant since, Instant now)
            throws SQLException {
        return Rows.all(
                c,
                Items::line,
                "select distinct "
                        + LINE
                        + " from items i join bids b on b.item_id = i.id and b.bid = i.max_bid"
                        + " where b.user_id = ? and i.end_date between ? and ?"
                        + " and i.max_bid >= i.reserve_price and i.quantity > 0"
                        + " order by i.end_date desc, i.id limit ?",
                user,
                since,
                now,
                OWN_MAX);
    }

    static List<Line> boughtBy(Connection c, long user, Instant since) throws SQLException {
        return lines(
                c,
                "join buy_now b on b.item_id = i.id"
                        + " where b.buyer_id = ? and b.made >= ? order by b.id desc limit ?",
                user,
                since,
                OWN_MAX);
    }

    /// Returns the items that a condition selects.
    private static List<Line> lines(Connection c, String condition, Object... values)
            throws SQLException {
        return Rows.all(c, Items::line, "select " + LINE + " from items i " + condition, values);
    }

    private static Line line(ResultSet row) throws SQLException {
        long highest = row.getLong("max_bid");
        return new Line(
                row.getLong("id"),
                row.getString("name"),
                highest == 0 ? row.getLong("initial_price") : highest,
                row.getInt("nb_of_bids"),
                Rows.instant(row, "end_date"));
    }

    private static Item item(ResultSet row) throws SQLException {
        return new Item(
                row.getLong("id"),
                row.getString("name"),
                row.getString("description"),
                row.getLong("initial_price"),
                row.getInt("quantity"),
                row.getLong("reserve_price"),
                row.getLong("buy_now"),
                row.getInt("nb_of_bids"),
                row.getLong("max_bid"),
                Rows.instant(row, "end_date"),
                row.getLong("seller"),
                row.getString("seller_name"),
                row.getLong("category"));
    }
}
