package dev.tandem.auction;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bids and purchases. The lock on the item's row orders simultaneous requests: the second sees
/// what the first has left.
final class Deals {
    /// The maximum length of a shown history.
    private static final int HISTORY_MAX = 500;

    private Deals() {}

    /// @param amount for each piece, in cents
    /// @param limit the bidder's maximum, in cents
    record Bidding(long item, long bidder, int quantity, long amount, long limit) {}

    /// @param form the id of the submitted form; empty if there is none
    record Purchase(long item, long buyer, int quantity, String form) {}

    /// Must run in a transaction.
    ///
    /// @throws RejectedException if the auction is over, or the bid too low
    static void bid(Connection c, Bidding bid, Clock clock) throws SQLException {
        Item item = locked(c, bid.item());
        Instant now = clock.instant();
        check(item, bid.bidder(), now);
        if (bid.quantity() > item.quantity()) {
            throw new RejectedException(409, "Only " + item.quantity() + " are left.");
        }
        if (bid.amount() < item.bidMin()) {
            throw new RejectedException(
                    409, "Others bid more: " + Text.money(item.bidMin()) + " at least.");
        }
        Rows.insert(
                c,
                """
                insert into bids (user_id, item_id, qty, bid, max_bid, made)
                values (?, ?, ?, ?, ?, ?)\
                """,
                bid.bidder(),
                bid.item(),
                bid.quantity(),
                bid.amount(),
                bid.limit(),
                now);
        Rows.change(
                c,
                "update items set max_bid = ?, nb_of_bids = nb_of_bids + 1 where id = ?",
                bid.amount(),
                bid.item());
    }

    /// Must run in a transaction. An auction with no piece left is over. A form that is submitted
    /// again buys nothing more: its sender clicked twice, or never got the response.
    ///
    /// @return how many were bought by it
    /// @throws RejectedException if fewer are left, or it cannot be bought
    static int buy(Connection c, Purchase purchase, Clock clock) throws SQLException {
        Item item = locked(c, purchase.item());
        Integer before = purchase.form().isEmpty() ? null : boughtBy(c, purchase);
        if (before != null) {
            return before;
        }
        Instant now = clock.instant();
        check(item, purchase.buyer(), now);
        if (!item.isBuyable()) {
            throw new RejectedException(409, "This item is sold to the highest bidder only.");
        }
        if (purchase.quantity() > item.quantity()) {
            throw new RejectedException(409, "Only " + item.quantity() + " are left.");
        }
        Rows.insert(
                c,
                "insert into buy_now (buyer_id, item_id, qty, made, form) values (?, ?, ?, ?, ?)",
                purchase.buyer(),
                purchase.item(),
                purchase.quantity(),
                now,
                purchase.form());
        int left = item.quantity() - purchase.quantity();
        Rows.change(
                c,
                "update items set quantity = ?, end_date = ? where id = ?",
                left,
                left == 0 ? now : item.end(),
                purchase.item());
        return purchase.quantity();
    }

    private static @Nullable Integer boughtBy(Connection c, Purchase purchase) throws SQLException {
        return Rows.one(
                c,
                row -> row.getInt(1),
                "select qty from buy_now where item_id = ? and buyer_id = ? and form = ?",
                purchase.item(),
                purchase.buyer(),
                purchase.form());
    }

    /// The last first, [#HISTORY_MAX] at most.
    static List<Bid> history(Connection c, long item) throws SQLException {
        return Rows.all(
                c,
                row ->
                        new Bid(
                                row.getLong("user_id"),
                                row.getString("nickname"),
                                row.getInt("qty"),
                                row.getLong("bid"),
                                Rows.instant(row, "made")),
                """
                select b.user_id, u.nickname, b.qty, b.bid, b.made
                from bids b join users u on u.id = b.user_id
                where b.item_id = ? order by b.id desc limit ?\
                """,
                item,
                HISTORY_MAX);
    }

    private static Item locked(Connection c, long id) throws SQLException {
        Item item = Items.locked(c, id);
        if (item == null) {
            throw new RejectedException(404, "There is no such item for sale.");
        }
        return item;
    }

    /// @param now not before the item was locked: a request that waited for the lock until after
    ///     the end is late
    private static void check(Item item, long member, Instant now) {
        if (item.isOver(now)) {
            throw new RejectedException(409, "This auction is over.");
        }
        if (item.seller() == member) {
            throw new RejectedException(409, "Sellers cannot have their own items.");
        }
    }
}
