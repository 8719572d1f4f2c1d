package dev.tandem.auction;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A request as pages see it: its parameters, checked, and its sender. Confined to the request's
/// thread.
final class PageRequest {
    /// The session's attribute with the number of the signed-in member.
    static final String MEMBER = "member";

    private static final String NICKNAME = "nickname";
    private static final String TOKEN = "token";

    /// Read with each page: it may be known only once the server listens.
    private static final String INSIDE = "auction.inside";

    private static final int TOKEN_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// The limit for fields that are only compared; those that are stored are limited to their
    /// columns where they are read.
    private static final int LENGTH_MAX = 200;

    private static final long MONEY_MAX = 100_000_000_00L;

    private final HttpServletRequest request;

    /// Whether the request's parameters can be decoded: they may be too large, or no text.
    static boolean isReadable(HttpServletRequest request) {
        try {
            request.getParameterMap();
            return true;
        } catch (IllegalStateException _) {
            return false; // as Servlet 6.1 specifies
        }
    }

    PageRequest(HttpServletRequest request) {
        this.request = request;
    }

    /// Whether it was sent by a form: credentials are accepted in forms only, as a URL is kept in
    /// logs and can be passed on.
    boolean isForm() {
        return request.getMethod().equals("POST");
    }

    boolean has(String name) {
        return request.getParameter(name) != null;
    }

    /// @throws RejectedException with 400 unless it is present, not blank, and at most `max`
    ///     characters
    String text(String name, int max) {
        String value = request.getParameter(name);
        if (value == null || value.isBlank()) {
            throw new RejectedException(400, "The field '" + name + "' is missing.");
        }
        if (value.length() > max) {
            throw new RejectedException(
                    400, "The field '" + name + "' is longer than " + max + " characters.");
        }
        if (value.indexOf('\0') >= 0) {
            throw new RejectedException(
                    400, "The field '" + name + "' has a character that cannot be kept.");
        }
        return value.strip();
    }

    String text(String name) {
        return text(name, LENGTH_MAX);
    }

    /// Stored in lower case, and of characters that look like nothing else: no member can take a
    /// name that others read as another's.
    ///
    /// @throws RejectedException with 400 if it is not valid
    String newNickname(String name, int max) {
        String value = text(name, max);
        if (!value.matches("[A-Za-z0-9._-]+")) {
            throw new RejectedException(
                    400, "A nickname has letters from a to z, digits, '.', '_' and '-'.");
        }
        return small(value);
    }

    /// As [#newNickname], of a member who may not exist.
    String nickname(String name) {
        return small(text(name));
    }

    private static String small(String nickname) {
        return nickname.toLowerCase(Locale.ROOT);
    }

    /// Unchanged: a password may begin with a blank.
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

    /// @param otherwise the value if it is missing
    int count(String name, int min, int max, int otherwise) {
        return has(name) ? count(name, min, max) : otherwise;
    }

    /// @throws RejectedException with 400 unless it is a whole number in that range
    private long number(String name, long min, long max) {
        String value = text(name);
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Thrown below.
        }
        throw new RejectedException(
                400,
                max == Long.MAX_VALUE
                        ? "The field '" + name + "' must be a number."
                        : "The field '%s' must be from %d to %d.".formatted(name, min, max));
    }

    /// In cents, 1 or more; written as `12` or `12.50`.
    ///
    /// @throws RejectedException with 400 unless it is such an amount
    long money(String name) {
        long cents = amount(name);
        if (cents == 0) {
            throw new RejectedException(400, "The field '" + name + "' must be 0.01 at least.");
        }
        return cents;
    }

    private long amount(String name) {
        String value = text(name);
        if (!value.matches("[0-9]{1,10}([.][0-9]{1,2})?")) {
            throw new RejectedException(
                    400, "The field '" + name + "' must be an amount, such as 12.50.");
        }
        int point = value.indexOf('.');
        String whole = point < 0 ? value : value.substring(0, point);
        String rest = point < 0 ? "" : value.substring(point + 1);
        long cents = Long.parseLong(whole) * 100 + Long.parseLong((rest + "00").substring(0, 2));
        if (cents > MONEY_MAX) {
            throw new RejectedException(
                    400, "The field '" + name + "' is more than anything costs here.");
        }
        return cents;
    }

    /// Returns 0 if the field is empty or is 0.
    long moneyIfAny(String name) {
        String value = request.getParameter(name);
        return value == null || value.isBlank() ? 0 : amount(name);
    }

    @Nullable Long member() {
        return (Long) kept(MEMBER);
    }

    @Nullable String nickname() {
        return (String) kept(NICKNAME);
    }

    /// Makes this the session of a member. It gets a new id and token: those known before become
    /// worthless.
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

    /// The token that this user's forms must return. Begins a session.
    String token() {
        HttpSession session = request.getSession();
        String token = (String) session.getAttribute(TOKEN);
        if (token == null) {
            token = random();
            session.setAttribute(TOKEN, token);
        }
        return token;
    }

    /// Returns 24 characters that cannot be guessed.
    static String random() {
        var bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Whether the form was one of ours, for this user.
    boolean isTokenRight() {
        String token = (String) kept(TOKEN);
        String brought = request.getParameter(TOKEN);
        return token != null
                && brought != null
                && MessageDigest.isEqual(
                        token.getBytes(StandardCharsets.UTF_8),
                        brought.getBytes(StandardCharsets.UTF_8));
    }

    /// @param hasForms whether the page will have a form, and so needs a session
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
