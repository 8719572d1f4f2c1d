package dev.tandem.bookstore;

import dev.tandem.http.Exchange;
import dev.tandem.http.SetCookie;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Identifies a user's customer and cart by cookies that only this store can make, which no script
/// may read and no other site may send.
final class UserCookies {
    private static final String CART = "cart";
    private static final String CUSTOMER = "customer";

    private final Seal seal = new Seal();

    /// Returns the signed-in customer, if there is one.
    @Nullable Customer customer(Exchange x, Connection c) throws SQLException {
        long id = seal.open(CUSTOMER, x.cookie(CUSTOMER));
        return id == 0 ? null : Customers.find(c, id);
    }

    void signedIn(Exchange x, Customer customer) {
        set(x, CUSTOMER, customer.id());
    }

    /// Returns the number of the user's cart; 0 if there is none.
    long cart(Exchange x, Connection c) throws SQLException {
        long id = seal.open(CART, x.cookie(CART));
        return id != 0 && Carts.isThere(c, id) ? id : 0;
    }

    /// Returns the number of the user's cart, a new one if there is none.
    long cartOrNew(Exchange x, Connection c) throws SQLException {
        long known = cart(x, c);
        if (known != 0) {
            return known;
        }
        long made = Carts.create(c);
        set(x, CART, made);
        return made;
    }

    private void set(Exchange x, String name, long id) {
        x.cookie(
                SetCookie.of(name, seal.seal(name, id))
                        .path("/")
                        .httpOnly(true)
                        .sameSite(SetCookie.SameSite.LAX));
    }
}
