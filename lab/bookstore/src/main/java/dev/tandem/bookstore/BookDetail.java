package dev.tandem.bookstore;

import java.time.LocalDate;

/// A book as its own page shows it.
///
/// @param listPrice in cents, as `book.price()`
public record BookDetail(
        Book book, About about, long listPrice, int stock, String isbn, int pages) {
    /// What is said of it.
    public record About(
            String subject,
            String description,
            String publisher,
            LocalDate published,
            String backing) {}
}
