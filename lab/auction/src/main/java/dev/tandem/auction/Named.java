package dev.tandem.auction;

/// A category or region.
public record Named(long id, String name) {}
