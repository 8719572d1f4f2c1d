package dev.tandem.auction;

import java.time.Instant;

/// An item that is, or was, for sale.
///
/// @param initialPrice in cents, as are the other prices
/// @param quantity how many are left
/// @param reservePrice below which the seller need not sell; 0 if none
/// @param buyNow the price for buying it at once; 0 if that is not possible
/// @param maxBid the highest bid, or 0
public record Item(
        long id,
        String name,
        String description,
        long initialPrice,
        int quantity,
        long reservePrice,
        long buyNow,
        int bids,
        long maxBid,
        Instant end,
        long seller,
        String sellerName,
        long category) {

    /// Whether it is no longer for sale.
    public boolean isOver(Instant now) {
        return quantity == 0 || !end.isAfter(now);
    }

    /// Whether it can be bought at once: only while no bid is as high as that price.
    public boolean isBuyable() {
        return buyNow > maxBid;
    }

    /// The price that is shown.
    public long price() {
        return maxBid == 0 ? initialPrice : maxBid;
    }

    /// The lowest acceptable bid.
    public long bidMin() {
        return maxBid == 0 ? initialPrice : maxBid + 1;
    }

    /// Returns how far the reserve price is met, in words.
    public String reserve() {
        if (reservePrice == 0) {
            return "none";
        }
        return isReserveMet() ? "met" : "not met yet";
    }

    /// Whether the seller has to sell.
    public boolean isReserveMet() {
        return reservePrice <= maxBid;
    }
}
