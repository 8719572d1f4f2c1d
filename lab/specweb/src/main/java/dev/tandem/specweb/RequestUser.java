package dev.tandem.specweb;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The user who sent a request: the signed-in customer of a site, and the token. Confined to the
/// request's thread.
final class RequestUser {
    private static final int TOKEN_BYTES = 18;
    private static final String TOKEN = "token";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final HttpServletRequest request;

    /// The session's attribute, by site: the bank's customers are not the shop's.
    private final String customer;

    RequestUser(HttpServletRequest request, Site site) {
        this.request = request;
        this.customer = site.path() + " customer";
    }

    /// Null if no customer is signed in.
    @Nullable String name() {
        return (String) kept(customer);
    }

    /// Signs a customer in. Customer N has the password `passwordN`. The session gets a new id and
    /// token: those known before become worthless.
    ///
    /// @param fields name and password
    /// @return whether they match
    boolean signIn(List<String> fields) {
        String name = fields.getFirst();
        // No leading zeros: 01 would be another customer with the cheques of 1.
        if (!name.matches("[1-9][0-9]{0,9}") || !isEqual("password" + name, fields.get(1))) {
            return false;
        }
        HttpSession session = request.getSession();
        request.changeSessionId();
        session.removeAttribute(TOKEN);
        session.setAttribute(customer, name);
        return true;
    }

    void signOut() {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
    }

    /// The token that this user's forms must return. Begins a session.
    String token() {
        HttpSession session = request.getSession();
        String token = (String) session.getAttribute(TOKEN);
        if (token == null) {
            var bytes = new byte[TOKEN_BYTES];
            RANDOM.nextBytes(bytes);
            token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            session.setAttribute(TOKEN, token);
        }
        return token;
    }

    boolean isTokenRight() {
        String token = (String) kept(TOKEN);
        String brought = request.getParameter(TOKEN);
        return token != null && brought != null && isEqual(token, brought);
    }

    private static boolean isEqual(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Object kept(String name) {
        HttpSession session = request.getSession(false);
        return session == null ? null : session.getAttribute(name);
    }
}
