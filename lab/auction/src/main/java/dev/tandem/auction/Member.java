package dev.tandem.auction;

import java.time.Instant;

/// A registered user.
public record Member(long id, String nickname, int rating, Instant since, String region) {}
