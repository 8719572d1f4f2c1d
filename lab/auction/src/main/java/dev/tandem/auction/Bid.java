package dev.tandem.auction;

import java.time.Instant;

/// @param amount for each, in cents
public record Bid(long bidder, String bidderName, int quantity, long amount, Instant made) {}
