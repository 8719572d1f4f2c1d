package dev.tandem.bookstore;

/// A book as lists show it.
///
/// @param price in cents
public record Book(long id, String title, String author, long price) {}
