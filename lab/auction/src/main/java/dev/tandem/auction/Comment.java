package dev.tandem.auction;

import java.time.Instant;

/// What one member says of another.
public record Comment(long from, String fromName, int rating, Instant made, String remark) {}
