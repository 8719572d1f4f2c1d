package dev.tandem.auction;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// Bids and purchases. What two visitors want at the same moment is decided by the lock on the
/// item's row: the second sees what the first has left.
final class Deals {
    private Deals() {}

    /// @param amount for each, in cents
    /// @param limit up to which the bidder would go, in cents
    record Bidding(long item, long bidder, int quantity, long amount, long limit) {}

    record Purchase(long item, long buyer, int quantity) {}

    /// In a transaction only.
    ///
    /// @throws Sorry if the item is over, or the bid too low
    static void bid(Connection c, Bidding bid, Instant now) throws SQLException {
        Item item = open(c, bid.item(), bid.bidder(), now);
        if (bid.quantity() > item.quantity()) {
            throw new Sorry(409, "Only " + item.quantity() + " are left.");
        }
        if (bid.amount() < item.bidMin()) {
            throw new Sorry(409, "Others bid more: " + Text.money(item.bidMin()) + " at least.");
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

    /// In a transaction only. An item of which none is left is over.
    ///
    /// @throws Sorry if fewer are left, or it cannot be bought
    static void buy(Connection c, Purchase purchase, Instant now) throws SQLException {
        Item item = open(c, purchase.item(), purchase.buyer(), now);
        if (item.buyNow() == 0) {
            throw new Sorry(409, "This item is sold to the highest bidder only.");
        }
        if (purchase.quantity() > item.quantity()) {
            throw new Sorry(409, "Only " + item.quantity() + " are left.");
        }
        Rows.insert(
                c,
                "insert into buy_now (buyer_id, item_id, qty, made) values (?, ?, ?, ?)",
                purchase.buyer(),
                purchase.item(),
                purchase.quantity(),
                now);
        int left = item.quantity() - purchase.quantity();
        Rows.change(
                c,
                "update items set quantity = ?, end_date = ? where id = ?",
                left,
                left == 0 ? now : item.end(),
                purchase.item());
    }

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
                where b.item_id = ? order by b.id desc\
                """,
                item);
    }

    private static Item open(Connection c, long id, long visitor, Instant now) throws SQLException {
        Item item = Items.locked(c, id);
        if (item == null) {
            throw new Sorry(404, "There is no such item for sale.");
        }
        if (item.isOver(now)) {
            throw new Sorry(409, "This auction is over.");
        }
        if (item.seller() == visitor) {
            throw new Sorry(409, "Sellers cannot have their own items.");
        }
        return item;
    }
}
