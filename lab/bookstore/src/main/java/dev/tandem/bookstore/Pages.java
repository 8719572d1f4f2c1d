package dev.tandem.bookstore;

import dev.tandem.database.View;
import dev.tandem.http.Exchange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Loads the data of the browsing pages. They have the names of TPC-W's interactions.
final class Pages {
    private final Catalog catalog;
    private final UserCookies users;

    Pages(Catalog catalog, UserCookies users) {
        this.catalog = catalog;
        this.users = users;
    }

    View home(Exchange x, Connection c) throws SQLException {
        Customer customer = users.customer(x, c);
        return View.of(
                "home.jte",
                Map.of(
                        "name",
                        customer == null ? "" : customer.name(),
                        "promoted",
                        catalog.promoted(c, 0),
                        "subjects",
                        Words.SUBJECTS));
    }

    View newProducts(Exchange x, Connection c) throws Exception {
        String subject = Parameters.of(x).oneOf("subject", Words.SUBJECTS);
        return books("New Products", subject, catalog.newest(c, subject));
    }

    View bestSellers(Exchange x, Connection c) throws Exception {
        String subject = Parameters.of(x).oneOf("subject", Words.SUBJECTS);
        return books("Best Sellers", subject, catalog.bestSelling(c, subject));
    }

    View detail(Exchange x, Connection c) throws Exception {
        BookDetail detail = catalog.detail(c, Parameters.of(x).item());
        return detail == null
                ? missing("Product Detail")
                : View.of("detail.jte", Map.of("detail", detail));
    }

    View searchRequest(Exchange x, Connection c) throws SQLException {
        return View.of(
                "search.jte",
                Map.of("promoted", catalog.promoted(c, 0), "subjects", Words.SUBJECTS));
    }

    View searchResults(Exchange x, Connection c) throws Exception {
        Parameters parameters = Parameters.of(x);
        String type = parameters.oneOf("type", List.of("author", "title", "subject"));
        String text = parameters.required("text", 60);
        List<Book> found =
                switch (type) {
                    case "author" -> catalog.ofAuthor(c, text);
                    case "title" -> catalog.ofTitle(c, text);
                    default -> catalog.ofSubject(c, text);
                };
        return books("Search Results", text, found);
    }

    View adminRequest(Exchange x, Connection c) throws Exception {
        BookDetail detail = catalog.detail(c, Parameters.of(x).item());
        return detail == null
                ? missing("Admin Request")
                : View.of("admin.jte", Map.of("detail", detail));
    }

    View adminConfirm(Exchange x, Connection c) throws Exception {
        Parameters parameters = Parameters.of(x);
        long item = parameters.item();
        boolean isDone = Orders.administer(c, item, parameters.price("cost"));
        @Nullable BookDetail detail = isDone ? catalog.detail(c, item) : null;
        return detail == null
                ? missing("Admin Confirm")
                : View.of(
                        "administered.jte",
                        Map.of("detail", detail, "related", catalog.promoted(c, item)));
    }

    private static View books(String page, String of, List<Book> books) {
        return View.of("books.jte", Map.of("page", page, "of", of, "books", books));
    }

    static View missing(String page) {
        return sorry(404, page, "There is no such book.");
    }

    static View sorry(int status, String page, String why) {
        return View.of(status, "sorry.jte", Map.of("page", page, "why", why));
    }
}
