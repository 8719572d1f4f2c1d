package dev.tandem.auction;

import java.time.Instant;

/// An item in a list.
///
/// @param price in cents
public record Line(long id, String name, long price, int bids, Instant end) {
    /// Returns the name of its picture, which the thing that it is called has; the site's own for
    /// what a member has offered.
    public String picture() {
        return Words.picture(name);
    }
}
