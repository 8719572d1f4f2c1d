package dev.tandem.specweb;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who asks: as which customer of a site, and with which token. Confined to the request's thread.
final class Visitor {
    private static final int TOKEN_BYTES = 18;
    private static final String TOKEN = "token";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final HttpServletRequest request;

    /// By site: the bank's customer is nobody in the shop.
    private final String customer;

    Visitor(HttpServletRequest request, Site site) {
        this.request = request;
        this.customer = site.path() + " customer";
    }

    /// Null if nobody is signed in.
    @Nullable String name() {
        return (String) kept(customer);
    }

    /// Customer N has the password `passwordN`. The session gets another name and token: what was
    /// known of it before is worth nothing.
    ///
    /// @param said name and password
    /// @return whether they fit
    boolean signIn(List<String> said) {
        String name = said.getFirst();
        // No zeros before it: 01 would be another customer with the cheques of 1.
        if (!name.matches("[1-9][0-9]{0,9}") || !isEqual("password" + name, said.get(1))) {
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

    /// What a form of this visitor's must bring back. Begins a session.
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
