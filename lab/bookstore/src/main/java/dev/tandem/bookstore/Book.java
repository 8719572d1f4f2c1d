package dev.tandem.bookstore;

/// A book in a list.
///
/// @param price in cents
public record Book(long id, String title, String author, long price) {}
