package dev.tandem.auction;

import java.time.Instant;

/// An item as lists show it.
///
/// @param price in cents
public record Line(long id, String name, long price, int bids, Instant end) {}
