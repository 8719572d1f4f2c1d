package dev.tandem.auction;

import java.time.Instant;

/// An item in a list.
///
/// @param price in cents
public record Line(long id, String name, long price, int bids, Instant end) {}
