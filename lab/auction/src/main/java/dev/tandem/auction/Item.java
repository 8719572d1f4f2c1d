package dev.tandem.auction;

import java.time.Instant;

/// What is, or was, for sale.
///
/// @param initialPrice in cents, as are the other prices
/// @param quantity how many are left
/// @param reservePrice below which the seller need not sell; 0 if none
/// @param buyNow for which it goes at once; 0 if it does not
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

    /// Whether it can no longer be had.
    public boolean isOver(Instant now) {
        return quantity == 0 || !end.isAfter(now);
    }

    /// Whether it goes at once: not for less than somebody has bid.
    public boolean isBuyable() {
        return buyNow > maxBid;
    }

    /// What a visitor sees as its price.
    public long price() {
        return maxBid == 0 ? initialPrice : maxBid;
    }

    /// The lowest bid that will be taken.
    public long bidMin() {
        return maxBid == 0 ? initialPrice : maxBid + 1;
    }

    /// Whether the seller has to sell.
    public boolean isReserveMet() {
        return reservePrice <= maxBid;
    }
}
