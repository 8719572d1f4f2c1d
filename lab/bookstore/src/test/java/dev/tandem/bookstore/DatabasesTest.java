package dev.tandem.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.testkit.DatabaseServer;
import dev.tandem.testkit.Patience;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The same on each database that the store supports: all 14 interactions; and on real servers,
/// their failure.
class DatabasesTest {
    private static final String USER = Words.syllables(7, 7);

    enum Kind {
        H2,
        MARIADB,
        POSTGRESQL
    }

    @ParameterizedTest
    @EnumSource
    void interactionsWork_andAKilledDatabaseCauses503UntilItIsBack(Kind kind) throws Exception {
        if (kind == Kind.H2) {
            interactions(
                    Settings.DEFAULT.withDatabase("jdbc:h2:mem:all;DB_CLOSE_DELAY=-1", "sa", ""),
                    null);
            return;
        }
        var server = DatabaseServer.Kind.valueOf(kind.name());
        assumeTrue(server.isHere(), "needs " + server.name());
        DatabaseServer running = DatabaseServer.start(server);
        try {
            interactions(Settings.DEFAULT.withDatabase(running.url(), running.user(), ""), running);
        } finally {
            running.remove();
        }
    }

    private static void interactions(
            Settings settings, @org.jspecify.annotations.Nullable DatabaseServer database)
            throws Exception {
        try (var store = new RunningStore(settings);
                var shopper = store.shopper()) {
            look(shopper);
            buy(shopper);
            administer(shopper);
            assertEquals(0, store.store().staged().counts().heldWhileRendering());
            if (database != null) {
                database.kill();
                askUntilDown(shopper, store.store());
                long before = store.store().database().lane().counts().rejected();
                for (int i = 0; i < 10; i++) {
                    assertEquals(503, shopper.get("/product?item=3").statusCode());
                }
                long rejected = store.store().database().lane().counts().rejected() - before;
                assertEquals(10, rejected, "by the lane, at once, and not by a time-out");
                isPage("Order Inquiry", shopper.get("/order"));
                database.start();
                Patience.until("back", () -> !store.store().database().lane().isDown());
                isPage("Home", shopper.get("/"));
            }
        }
    }

    /// Requests begun before it stopped may still get a response.
    private static void askUntilDown(Shopper shopper, Bookstore store) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!store.database().lane().isDown()) {
            assertTrue(Set.of(200, 503).contains(shopper.get("/").statusCode()));
            assertTrue(System.nanoTime() < end, "the store did not notice that it is down");
        }
    }

    private static void look(Shopper shopper) throws Exception {
        isPage("Home", shopper.get("/"));
        isPage("New Products", shopper.get("/new-products?subject=ARTS"));
        isPage("Best Sellers", shopper.get("/best-sellers?subject=ARTS"));
        isPage("Product Detail", shopper.get("/product?item=3"));
        isPage("Search Request", shopper.get("/search"));
        String word = Words.syllables(2, 7);
        var found = shopper.get("/search/results?type=title&text=" + word);
        isPage("Search Results", found);
        assertEquals(5, found.body().split("/product\\?item=", -1).length - 1);
        isPage("Search Results", shopper.get("/search/results?type=author&text=" + word));
        isPage("Search Results", shopper.get("/search/results?type=subject&text=ARTS"));
    }

    private static void buy(Shopper shopper) throws Exception {
        isPage("Shopping Cart", shopper.post("/cart", "item", "3"));
        isPage("Shopping Cart", shopper.post("/cart", "item", "3"));
        var cart =
                shopper.post("/cart", "line", "3", "quantity", "4", "line", "5", "quantity", "1");
        isPage("Shopping Cart", cart);
        assertTrue(cart.body().contains("value=\"4\""), cart.body());
        isPage("Customer Registration", shopper.get("/registration"));
        String password = USER.toLowerCase(Locale.ROOT);
        isPage("Buy Request", shopper.post("/buy", "username", USER, "password", password));
        isPage("Buy Confirm", confirm(shopper));
        assertEquals(409, confirm(shopper).statusCode(), "bought once");
        isPage("Order Inquiry", shopper.get("/order"));
        var order = shopper.post("/order/last", "username", USER, "password", password);
        isPage("Order Display", order);
        assertTrue(order.body().contains("4 × <a href=\"/product?item=3\""), order.body());
        newCustomer(shopper);
    }

    private static void newCustomer(Shopper shopper) throws Exception {
        var made =
                shopper.post(
                        "/buy",
                        "firstname",
                        "Ada",
                        "lastname",
                        "Lovelace",
                        "street1",
                        "12 St James's Square",
                        "city",
                        "London",
                        "zip",
                        "SW1",
                        "country",
                        Words.country(5),
                        "phone",
                        "1815",
                        "email",
                        "ada@example.org",
                        "birthdate",
                        "1815-12-10");
        isPage("Buy Request", made);
        String user = Words.syllables(RunningStore.POPULATION.customers() + 1, 7);
        assertTrue(made.body().contains(user), made.body());
        String password = made.body().replaceAll("(?s).*the password <b>([0-9a-f]+)</b>.*", "$1");
        var none = shopper.post("/order/last", "username", user, "password", password);
        assertEquals(404, none.statusCode(), "ordered nothing");
        assertEquals(
                403, shopper.post("/order/last", "username", user, "password", "x").statusCode());
    }

    private static HttpResponse<String> confirm(Shopper shopper) throws Exception {
        return shopper.post(
                "/buy/confirm",
                "card",
                "VISA",
                "number",
                "1234",
                "name",
                "A",
                "expires",
                "2030-01-01",
                "shipping",
                "AIR",
                "street1",
                "1 Other Street",
                "city",
                "Elsewhere",
                "zip",
                "1");
    }

    private static void administer(Shopper shopper) throws Exception {
        isPage("Admin Request", shopper.get("/admin?item=3"));
        var done = shopper.post("/admin/confirm", "item", "3", "cost", "12.34");
        isPage("Admin Confirm", done);
        assertTrue(done.body().contains("$12.34"), done.body());
    }

    static void isPage(String page, HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response.body());
        assertTrue(
                response.body().contains("<meta name=\"page\" content=\"" + page + "\">")
                        && response.body().stripTrailing().endsWith("<!-- end of " + page + " -->"),
                response.body());
    }
}
