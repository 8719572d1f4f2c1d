package dev.tandem.auction;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A request as pages see it: its parameters, checked, and who sent it. Confined to the request's
/// thread.
final class Visit {
    private static final String MEMBER = "member";
    private static final String NICKNAME = "nickname";
    private static final String TOKEN = "token";

    /// Asked for with each page: it may be known only once the server listens.
    private static final String INSIDE = "auction.inside";

    private static final int TOKEN_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// What columns of the database hold at most is checked where it is asked for; this is for
    /// what is only compared.
    private static final int LENGTH_MAX = 200;

    private static final long MONEY_MAX = 100_000_000_00L;

    private final HttpServletRequest request;

    Visit(HttpServletRequest request) {
        this.request = request;
    }

    boolean has(String name) {
        return request.getParameter(name) != null;
    }

    /// @throws Sorry with 400 unless it is there, not blank, and at most `max` characters
    String text(String name, int max) {
        String value = request.getParameter(name);
        if (value == null || value.isBlank()) {
            throw new Sorry(400, "The field '" + name + "' is missing.");
        }
        if (value.length() > max) {
            throw new Sorry(400, "The field '" + name + "' is longer than " + max + " characters.");
        }
        if (value.indexOf('\0') >= 0) {
            throw new Sorry(400, "The field '" + name + "' has a character that cannot be kept.");
        }
        return value.strip();
    }

    String text(String name) {
        return text(name, LENGTH_MAX);
    }

    /// As it was typed: a password may begin with a blank.
    String secret(String name) {
        text(name);
        return request.getParameter(name);
    }

    long id(String name) {
        return number(name, 1, Long.MAX_VALUE);
    }

    int count(String name, int min, int max) {
        return (int) number(name, min, max);
    }

    /// @param otherwise if it is not there
    int count(String name, int min, int max, int otherwise) {
        return has(name) ? count(name, min, max) : otherwise;
    }

    /// @throws Sorry with 400 unless it is a whole number in that range
    private long number(String name, long min, long max) {
        String value = text(name);
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new Sorry(
                400,
                max == Long.MAX_VALUE
                        ? "The field '" + name + "' must be a number."
                        : "The field '%s' must be from %d to %d.".formatted(name, min, max));
    }

    /// In cents; written as `12` or `12.50`.
    ///
    /// @throws Sorry with 400 unless it is an amount
    long money(String name) {
        String value = text(name);
        if (!value.matches("[0-9]{1,10}([.][0-9]{1,2})?")) {
            throw new Sorry(400, "The field '" + name + "' must be an amount, such as 12.50.");
        }
        int point = value.indexOf('.');
        String whole = point < 0 ? value : value.substring(0, point);
        String rest = point < 0 ? "" : value.substring(point + 1);
        long cents = Long.parseLong(whole) * 100 + Long.parseLong((rest + "00").substring(0, 2));
        if (cents > MONEY_MAX) {
            throw new Sorry(400, "The field '" + name + "' is more than anything costs here.");
        }
        return cents;
    }

    /// 0 if the field is empty.
    long moneyIfAny(String name) {
        String value = request.getParameter(name);
        return value == null || value.isBlank() ? 0 : money(name);
    }

    @Nullable Long member() {
        return (Long) kept(MEMBER);
    }

    @Nullable String nickname() {
        return (String) kept(NICKNAME);
    }

    /// From now on the session is this member's. It gets a new name and token: what was known of
    /// it before is worth nothing.
    void signIn(long member, String nickname) {
        HttpSession session = request.getSession();
        request.changeSessionId();
        session.removeAttribute(TOKEN);
        session.setAttribute(MEMBER, member);
        session.setAttribute(NICKNAME, nickname);
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

    /// Whether the form was one of ours, for this visitor.
    boolean isTokenRight() {
        String token = (String) kept(TOKEN);
        String brought = request.getParameter(TOKEN);
        return token != null
                && brought != null
                && MessageDigest.isEqual(
                        token.getBytes(StandardCharsets.UTF_8),
                        brought.getBytes(StandardCharsets.UTF_8));
    }

    /// @param hasForms whether it will have a form, and so needs a session
    Frame frame(String page, boolean hasForms) {
        boolean isMember = member() != null;
        return new Frame(
                page,
                request.getContextPath(),
                nickname(),
                hasForms || isMember ? token() : "",
                Settings.value(request.getServletContext(), INSIDE));
    }

    private @Nullable Object kept(String name) {
        HttpSession session = request.getSession(false);
        return session == null ? null : session.getAttribute(name);
    }
}
