package dev.tandem.bookstore;

import dev.tandem.http.Exchange;
import dev.tandem.staged.View;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The data of the pages that lead to an order.
final class Buying {
    private static final int NAME_MAX = 17;
    private static final int USER_NAME_MAX = 20;
    private static final int PASSWORD_MAX = 40;

    private final Catalog catalog;
    private final Visitors visitors;
    private final int items;

    Buying(Catalog catalog, Visitors visitors, int items) {
        this.catalog = catalog;
        this.visitors = visitors;
        this.items = items;
    }

    /// Adds a book, changes quantities, or shows what is there. A cart is never empty: TPC-W puts a
    /// book of chance in.
    View cart(Exchange x, Connection c) throws Exception {
        Asked asked = Asked.of(x);
        long cart = visitors.cartOrNew(x, c);
        long item = asked.item();
        if (item != 0) {
            Carts.add(c, cart, item);
        } else {
            Carts.refresh(c, cart, asked.quantities());
        }
        if (Carts.isEmpty(c, cart)) {
            Carts.add(c, cart, 1 + java.util.concurrent.ThreadLocalRandom.current().nextInt(items));
        }
        return View.of(
                "cart.jte",
                Map.of("cart", load(x, c, cart), "promoted", catalog.promoted(c, item)));
    }

    private Cart load(Exchange x, Connection c, long cart) throws SQLException {
        Customer customer = visitors.customer(x, c);
        return Carts.load(c, cart, customer == null ? 0 : customer.discount());
    }

    View registration(Exchange x, Connection c) throws SQLException {
        Customer customer = visitors.customer(x, c);
        return View.of(
                "registration.jte",
                Map.of("userName", customer == null ? "" : customer.userName()));
    }

    View buyRequest(Exchange x, Connection c) throws Exception {
        Asked asked = Asked.of(x);
        String password = "";
        Customer customer;
        if (asked.has("username")) {
            customer =
                    Customers.signIn(
                            c,
                            asked.needed("username", USER_NAME_MAX),
                            asked.needed("password", PASSWORD_MAX));
            if (customer == null) {
                return Pages.sorry(403, "Buy Request", "No customer has this name and password.");
            }
        } else {
            Customers.New made = Customers.register(c, newCustomer(asked));
            customer = made.customer();
            password = made.password();
        }
        visitors.signedIn(x, customer);
        Cart cart = Carts.load(c, visitors.cart(x, c), customer.discount());
        return View.of(
                "buy.jte",
                Map.of(
                        "customer",
                        customer,
                        "cart",
                        cart,
                        "newPassword",
                        password,
                        "cards",
                        Words.CARDS,
                        "ways",
                        Words.SHIPPING));
    }

    private static NewCustomer newCustomer(Asked asked) {
        return new NewCustomer(
                asked.needed("firstname", NAME_MAX),
                asked.needed("lastname", NAME_MAX),
                asked.needed("phone", 18),
                asked.needed("email", 50),
                asked.day("birthdate"),
                asked.text("data", 500),
                place(asked));
    }

    private static NewCustomer.Place place(Asked asked) {
        return new NewCustomer.Place(
                asked.needed("street1", 40),
                asked.text("street2", 40),
                asked.needed("city", 30),
                asked.text("state", 20),
                asked.needed("zip", 10),
                asked.text("country", 50));
    }

    View buyConfirm(Exchange x, Connection c) throws Exception {
        Asked asked = Asked.of(x);
        Customer customer = visitors.customer(x, c);
        if (customer == null) {
            return Pages.sorry(403, "Buy Confirm", "Sign in first, by a buy request.");
        }
        // The update of its time locks the cart: it is bought once.
        Cart cart = Carts.load(c, visitors.cart(x, c), customer.discount());
        if (cart.isEmpty()) {
            return Pages.sorry(409, "Buy Confirm", "There is nothing in the cart.");
        }
        var card =
                new Orders.Card(
                        asked.oneOf("card", Words.CARDS),
                        asked.needed("number", 20),
                        asked.needed("name", 30),
                        expiry(asked));
        String shipping = asked.oneOf("shipping", Words.SHIPPING);
        long shipTo =
                asked.has("street1") ? Customers.address(c, place(asked)) : customer.address().id();
        long order = Orders.buy(c, new Orders.Purchase(customer, cart, shipping, shipTo, card));
        return View.of("bought.jte", Map.of("order", order, "cart", cart));
    }

    private static LocalDate expiry(Asked asked) {
        return asked.day("expires");
    }

    View orderInquiry(Exchange x) {
        return View.of("inquiry.jte", Map.of());
    }

    View orderDisplay(Exchange x, Connection c) throws Exception {
        Asked asked = Asked.of(x);
        Customer customer =
                Customers.signIn(
                        c,
                        asked.needed("username", USER_NAME_MAX),
                        asked.needed("password", PASSWORD_MAX));
        if (customer == null) {
            return Pages.sorry(403, "Order Display", "No customer has this name and password.");
        }
        @Nullable Order order = Orders.last(c, customer.id());
        return order == null
                ? Pages.sorry(404, "Order Display", "This customer has ordered nothing.")
                : View.of("order.jte", Map.of("customer", customer, "order", order));
    }
}
