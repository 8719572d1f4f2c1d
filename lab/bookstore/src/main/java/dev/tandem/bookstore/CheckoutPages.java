package dev.tandem.bookstore;

import dev.tandem.database.View;
import dev.tandem.http.Exchange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Loads the data of the pages that lead to an order.
final class CheckoutPages {
    private static final int NAME_MAX = 17;
    private static final int USER_NAME_MAX = 20;
    private static final int PASSWORD_MAX = 40;

    private final Catalog catalog;
    private final UserCookies users;
    private final int items;

    CheckoutPages(Catalog catalog, UserCookies users, int items) {
        this.catalog = catalog;
        this.users = users;
        this.items = items;
    }

    /// Adds a book, changes quantities, or shows the cart. A cart is never empty: TPC-W puts a
    /// random book in.
    View cart(Exchange x, Connection c) throws Exception {
        Parameters parameters = Parameters.of(x);
        long cart = users.cartOrNew(x, c);
        long item = parameters.item();
        if (item != 0) {
            Carts.add(c, cart, item);
        } else {
            Carts.refresh(c, cart, parameters.quantities());
        }
        if (Carts.isEmpty(c, cart)) {
            Carts.add(c, cart, 1 + java.util.concurrent.ThreadLocalRandom.current().nextInt(items));
        }
        return View.of(
                "cart.jte",
                Map.of("cart", load(x, c, cart), "promoted", catalog.promoted(c, item)));
    }

    private Cart load(Exchange x, Connection c, long cart) throws SQLException {
        Customer customer = users.customer(x, c);
        return Carts.load(c, cart, customer == null ? 0 : customer.discount());
    }

    View registration(Exchange x, Connection c) throws SQLException {
        Customer customer = users.customer(x, c);
        return View.of(
                "registration.jte",
                Map.of("userName", customer == null ? "" : customer.userName()));
    }

    View buyRequest(Exchange x, Connection c) throws Exception {
        Parameters parameters = Parameters.of(x);
        String password = "";
        Customer customer;
        if (parameters.has("username")) {
            customer =
                    Customers.signIn(
                            c,
                            parameters.required("username", USER_NAME_MAX),
                            parameters.required("password", PASSWORD_MAX));
            if (customer == null) {
                return Pages.sorry(403, "Buy Request", "No customer has this name and password.");
            }
        } else {
            Customers.New made = Customers.register(c, newCustomer(parameters));
            customer = made.customer();
            password = made.password();
        }
        users.signedIn(x, customer);
        Cart cart = Carts.load(c, users.cart(x, c), customer.discount());
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

    private static NewCustomer newCustomer(Parameters parameters) {
        return new NewCustomer(
                parameters.required("firstname", NAME_MAX),
                parameters.required("lastname", NAME_MAX),
                parameters.required("phone", 18),
                parameters.required("email", 50),
                parameters.day("birthdate"),
                parameters.text("data", 500),
                place(parameters));
    }

    private static NewCustomer.Place place(Parameters parameters) {
        return new NewCustomer.Place(
                parameters.required("street1", 40),
                parameters.text("street2", 40),
                parameters.required("city", 30),
                parameters.text("state", 20),
                parameters.required("zip", 10),
                parameters.text("country", 50));
    }

    View buyConfirm(Exchange x, Connection c) throws Exception {
        Parameters parameters = Parameters.of(x);
        Customer customer = users.customer(x, c);
        if (customer == null) {
            return Pages.sorry(403, "Buy Confirm", "Sign in first, by a buy request.");
        }
        // The update of its time locks the cart: it is bought once.
        Cart cart = Carts.load(c, users.cart(x, c), customer.discount());
        if (cart.isEmpty()) {
            return Pages.sorry(409, "Buy Confirm", "There is nothing in the cart.");
        }
        var card =
                new Orders.Card(
                        parameters.oneOf("card", Words.CARDS),
                        parameters.required("number", 20),
                        parameters.required("name", 30),
                        expiry(parameters));
        String shipping = parameters.oneOf("shipping", Words.SHIPPING);
        long shipTo =
                parameters.has("street1")
                        ? Customers.address(c, place(parameters))
                        : customer.address().id();
        long order = Orders.buy(c, new Orders.Purchase(customer, cart, shipping, shipTo, card));
        return View.of("bought.jte", Map.of("order", order, "cart", cart));
    }

    private static LocalDate expiry(Parameters parameters) {
        return parameters.day("expires");
    }

    View orderInquiry(Exchange x) {
        return View.of("inquiry.jte", Map.of());
    }

    View orderDisplay(Exchange x, Connection c) throws Exception {
        Parameters parameters = Parameters.of(x);
        Customer customer =
                Customers.signIn(
                        c,
                        parameters.required("username", USER_NAME_MAX),
                        parameters.required("password", PASSWORD_MAX));
        if (customer == null) {
            return Pages.sorry(403, "Order Display", "No customer has this name and password.");
        }
        @Nullable Order order = Orders.last(c, customer.id());
        return order == null
                ? Pages.sorry(404, "Order Display", "This customer has ordered nothing.")
                : View.of("order.jte", Map.of("customer", customer, "order", order));
    }
}
