package dev.tandem.auction;

import java.time.Instant;

/// A comment of one member on another.
public record Comment(long from, String fromName, int rating, Instant made, String remark) {}
