package dev.tandem.auction;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A request as pages see it: its parameters, checked, and who sent it. Confined to the request's
/// thread.
final class Visit {
    /// Of a session: the number of the member who is signed in.
    static final String MEMBER = "member";

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

    /// Whether the request's parameters can be read at all: they may be too large, or no text.
    static boolean isReadable(HttpServletRequest request) {
        try {
            request.getParameterMap();
            return true;
        } catch (IllegalStateException _) {
            return false; // so Servlet 6.1 has it
        }
    }

    Visit(HttpServletRequest request) {
        this.request = request;
    }

    /// Whether it was sent by a form: who they are, visitors say so only, as an address is kept in
    /// logs and can be given to others.
    boolean isForm() {
        return request.getMethod().equals("POST");
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

    /// Kept in small letters, and of characters that look like nothing else: no member can take a
    /// name that others read as another's.
    ///
    /// @throws Sorry with 400 if it is none
    String newNickname(String name, int max) {
        String value = text(name, max);
        if (!value.matches("[A-Za-z0-9._-]+")) {
            throw new Sorry(400, "A nickname has letters from a to z, digits, '.', '_' and '-'.");
        }
        return small(value);
    }

    /// As [#newNickname], of somebody who may be nobody.
    String nickname(String name) {
        return small(text(name));
    }

    private static String small(String nickname) {
        return nickname.toLowerCase(Locale.ROOT);
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

    /// In cents, 1 or more; written as `12` or `12.50`.
    ///
    /// @throws Sorry with 400 unless it is such an amount
    long money(String name) {
        long cents = amount(name);
        if (cents == 0) {
            throw new Sorry(400, "The field '" + name + "' must be 0.01 at least.");
        }
        return cents;
    }

    private long amount(String name) {
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

    /// 0 if the field is empty, or says so.
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
            token = random();
            session.setAttribute(TOKEN, token);
        }
        return token;
    }

    /// 24 characters that nobody guesses.
    static String random() {
        var bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
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
