package dev.tandem.lab.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.bookstore.Book;
import dev.tandem.bookstore.BookDetail;
import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Cart;
import dev.tandem.bookstore.Customer;
import dev.tandem.bookstore.Order;
import dev.tandem.bookstore.Population;
import dev.tandem.bookstore.Settings;
import dev.tandem.database.Templates;
import java.io.StringWriter;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InterpretedTemplatesTest {
    private static final Book BOOK = new Book(1_234, "Rivers & <Bridges>", "Ann Lee", 123_456);
    private static final List<Book> BOOKS = List.of(BOOK, new Book(7, "Stone", "Bo Oak", 5));
    private static final BookDetail DETAIL =
            new BookDetail(
                    BOOK,
                    new BookDetail.About(
                            "ARTS", "of stone", "Press", LocalDate.of(1999, 2, 3), "USED"),
                    200_000,
                    12,
                    "0001",
                    1_500);
    private static final Cart CART =
            new Cart(3, List.of(new Cart.Line(1_234, "Rivers", 2, 123_456)), 10);
    private static final Customer CUSTOMER =
            new Customer(
                    9,
                    "OGRE",
                    "Ann Lee",
                    10,
                    new Customer.Address(1, "1 Street", "Town", "State", "12345", "Country"));
    private static final Order ORDER =
            new Order(
                    1_001,
                    Instant.ofEpochSecond(1_000),
                    "SHIPPED",
                    "AIR",
                    99_900,
                    List.of(new Order.Line(7, "Stone", 3)));

    /// Models as the pages make them, by template.
    private static final Map<String, List<Map<String, Object>>> MODELS =
            Map.ofEntries(
                    Map.entry(
                            "home",
                            List.of(
                                    Map.of(
                                            "name",
                                            "",
                                            "promoted",
                                            BOOKS,
                                            "subjects",
                                            List.of("ARTS", "HOME")),
                                    Map.of(
                                            "name",
                                            "Ann <Lee>",
                                            "promoted",
                                            BOOKS,
                                            "subjects",
                                            List.of()))),
                    Map.entry(
                            "books",
                            List.of(
                                    Map.of("page", "Best Sellers", "of", "ARTS", "books", BOOKS),
                                    Map.of("page", "New", "of", "HOME", "books", List.of()))),
                    Map.entry("detail", List.of(Map.of("detail", DETAIL))),
                    Map.entry("admin", List.of(Map.of("detail", DETAIL))),
                    Map.entry("administered", List.of(Map.of("detail", DETAIL, "related", BOOKS))),
                    Map.entry(
                            "search",
                            List.of(Map.of("promoted", BOOKS, "subjects", List.of("ARTS")))),
                    Map.entry("cart", List.of(Map.of("cart", CART, "promoted", BOOKS))),
                    Map.entry("registration", List.of(Map.of("userName", "OGRE"))),
                    Map.entry("buy", List.of(buying(""), buying("secret"))),
                    Map.entry("bought", List.of(Map.of("order", 1_001L, "cart", CART))),
                    Map.entry("inquiry", List.of(Map.of())),
                    Map.entry("order", List.of(Map.of("customer", CUSTOMER, "order", ORDER))),
                    Map.entry("sorry", List.of(Map.of("page", "Home", "why", "closed"))));

    private static Map<String, Object> buying(String newPassword) {
        return Map.of(
                "customer",
                CUSTOMER,
                "cart",
                CART,
                "newPassword",
                newPassword,
                "cards",
                List.of("VISA"),
                "ways",
                List.of("AIR", "MAIL"));
    }

    /// Without the space between elements; compiled templates leave the sign in attributes.
    private static String text(Templates templates, String name, Object model) throws Exception {
        var text = new StringWriter();
        templates.render(name + ".jte", model, text);
        return text.toString()
                .replaceAll("\\s+", " ")
                .replace("> <", "><")
                .replace("&gt;", ">")
                .strip();
    }

    @Test
    void everyPageIsAsByTheCompiledTemplate() throws Exception {
        Settings settings =
                Settings.DEFAULT
                        .withDatabase("jdbc:h2:mem:interpreted", "sa", "")
                        .withPopulation(new Population(100, 100, 1));
        try (var store = Bookstore.open(settings)) {
            Templates interpreted = InterpretedTemplates.load();
            for (Map.Entry<String, List<Map<String, Object>>> page : MODELS.entrySet()) {
                for (Map<String, Object> model : page.getValue()) {
                    String compiled = text(store.templates(), page.getKey(), model);
                    assertEquals(compiled, text(interpreted, page.getKey(), model), page.getKey());
                }
            }
        }
    }
}
