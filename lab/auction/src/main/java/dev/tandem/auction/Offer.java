package dev.tandem.auction;

/// A seller's offer. Checked by the page that receives it.
///
/// @param initialPrice in cents, as are the others
/// @param days until it ends
record Offer(
        String name,
        String description,
        long initialPrice,
        long reservePrice,
        long buyNow,
        int days,
        int quantity,
        long category) {}
