package dev.tandem.bookstore;

import java.time.LocalDate;

/// A book on its own page.
///
/// @param listPrice in cents, as `book.price()`
public record BookDetail(
        Book book, About about, long listPrice, int stock, String isbn, int pages) {
    /// The description of a book.
    public record About(
            String subject,
            String description,
            String publisher,
            LocalDate published,
            String backing) {}
}
