package dev.tandem.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// SQL and HTML through every field of every form: none of it is executed, shown as markup, or
/// fails on our side.
class InjectionTest {
    private static final List<String> WORDS =
            List.of(
                    "' or '1'='1",
                    "'; drop table item; --",
                    "1; delete from customer",
                    "' union select c_id, c_uname, c_passwd, c_email, 1 from customer --",
                    "\\' or 1=1 --",
                    "%",
                    "_!%",
                    "<script>alert(1)</script>",
                    "\u0000",
                    "1e9",
                    "-1",
                    "99999999999999999999");

    /// Each form: its method, its path, its fields with valid values.
    private static final List<List<String>> FORMS =
            List.of(
                    List.of("GET", "/new-products", "subject", "ARTS"),
                    List.of("GET", "/best-sellers", "subject", "ARTS"),
                    List.of("GET", "/product", "item", "1"),
                    List.of("GET", "/search/results", "type", "title", "text", "BA"),
                    List.of("POST", "/cart", "item", "1"),
                    List.of("POST", "/cart", "line", "1", "quantity", "1"),
                    List.of("POST", "/buy", "username", "a", "password", "b"),
                    List.of(
                            "POST",
                            "/buy",
                            "firstname",
                            "a",
                            "lastname",
                            "b",
                            "street1",
                            "c",
                            "street2",
                            "d",
                            "city",
                            "e",
                            "state",
                            "f",
                            "zip",
                            "1",
                            "country",
                            "g",
                            "phone",
                            "1",
                            "email",
                            "a@example.org",
                            "birthdate",
                            "2000-01-01",
                            "data",
                            "h"),
                    List.of(
                            "POST",
                            "/buy/confirm",
                            "card",
                            "VISA",
                            "number",
                            "1",
                            "name",
                            "a",
                            "expires",
                            "2030-01-01",
                            "shipping",
                            "AIR",
                            "street1",
                            "c",
                            "city",
                            "e",
                            "zip",
                            "1"),
                    List.of("POST", "/order/last", "username", "a", "password", "b"),
                    List.of("GET", "/admin", "item", "1"),
                    List.of("POST", "/admin/confirm", "item", "2", "cost", "1.00"));

    private final RunningStore store;
    private final Shopper shopper;

    InjectionTest() throws IOException {
        store =
                new RunningStore(
                        Settings.DEFAULT.withDatabase(
                                "jdbc:h2:mem:injected;DB_CLOSE_DELAY=-1", "sa", ""));
        shopper = store.shopper();
    }

    @AfterEach
    void stop() throws Exception {
        shopper.close();
        store.close();
    }

    @Test
    void userInput_isNeverExecuted() throws Exception {
        long items = count("item");
        long customers = count("customer");
        long registered = 0;
        for (List<String> form : FORMS) {
            for (int field = 3; field < form.size(); field += 2) {
                for (String word : WORDS) {
                    var fields = new ArrayList<>(form.subList(2, form.size()));
                    fields.set(field - 2, word);
                    HttpResponse<String> response = send(form.get(0), form.get(1), fields);
                    String what = form.get(1) + " " + fields + ": " + response.body();
                    assertTrue(response.statusCode() < 500, what);
                    assertFalse(response.body().contains("<script>"), what);
                    assertFalse(response.body().contains("1:0000000000000000:"), what);
                    boolean isNew = form.contains("firstname") && response.statusCode() == 200;
                    registered += isNew ? 1 : 0;
                }
            }
        }
        assertEquals(items, count("item"));
        assertEquals(customers + registered, count("customer"));
        DatabasesTest.isPage("Home", shopper.get("/"));
    }

    @Test
    void wildcard_isMatchedLiterally() throws Exception {
        for (String sign : List.of("%25", "_", "!")) {
            var found = shopper.get("/search/results?type=title&text=" + sign);
            assertTrue(found.body().contains("There is none."), sign);
        }
    }

    @Test
    void forgedCookie_givesNoAccessToACart() throws Exception {
        shopper.post("/cart", "item", "1");
        try (var thief = java.net.http.HttpClient.newHttpClient()) {
            var request =
                    java.net.http.HttpRequest.newBuilder(store.address().resolve("/cart"))
                            .header("Cookie", "cart=1-00000000000000000000000000000000")
                            .build();
            var response = thief.send(request, HttpResponse.BodyHandlers.ofString());
            String set = response.headers().firstValue("Set-Cookie").orElse("");
            assertTrue(set.matches("cart=([2-9]|[1-9][0-9]+)-.*"), "a new cart, not '" + set + "'");
        }
    }

    private HttpResponse<String> send(String method, String path, List<String> fields)
            throws Exception {
        String[] all = fields.toArray(new String[0]);
        return method.equals("GET")
                ? shopper.get(path + "?" + Shopper.form(all))
                : shopper.post(path, all);
    }

    private long count(String table) throws Exception {
        try (Connection c = store.store().database().getConnection()) {
            return Sql.number(c, "select count(*) from " + table);
        }
    }
}
