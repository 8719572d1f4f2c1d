package dev.tandem.auction;

import java.time.Instant;

/// A bid of a member.
///
/// @param amount for each piece, in cents
public record Bid(long bidder, String bidderName, int quantity, long amount, Instant made) {}
