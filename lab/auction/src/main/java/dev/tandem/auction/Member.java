package dev.tandem.auction;

import java.time.Instant;

/// A user who is registered.
public record Member(long id, String nickname, int rating, Instant since, String region) {}
