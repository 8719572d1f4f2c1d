package dev.tandem.engine;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import dev.tandem.KnownSessions;
import dev.tandem.http.Cookies;
import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the key of a session by the cookies of a request or response. A cookie counts for nothing
/// until admission has seen the server use it, so inventing one gains nothing. Immutable; safe for
/// use by any thread.
final class SessionCookies {
    /// No session: never a key.
    static final long NONE = 0;

    private static final int SALT_BYTES = 16;

    /// An attribute by which a cookie is deleted (RFC 6265, section 5.2.2).
    private static final Pattern DELETED =
            Pattern.compile(
                    ";[ \\t]*max-age[ \\t]*=[ \\t]*(0+|-[0-9]+)[ \\t]*(;|$)", CASE_INSENSITIVE);

    private final List<String> names;
    private volatile @Nullable KnownSessions known;

    /// @param names of cookies, in the order in which they are looked for
    SessionCookies(List<String> names) {
        this.names = List.copyOf(names);
    }

    /// Sets what recognises sessions that other servers began.
    void recognise(KnownSessions known) {
        this.known = known;
    }

    /// Returns the key of the session that a request proves to have begun on another server, or
    /// [#NONE].
    long markOf(RequestHead head) {
        KnownSessions recognising = known;
        if (recognising == null || !head.has(KnownHeader.COOKIE)) {
            return NONE;
        }
        return recognising.find(Cookies.parse(head.headers())).orElse(NONE);
    }

    /// Returns the key of the session that a request names, or [#NONE].
    long keyOf(RequestHead head) {
        if (names.isEmpty() || !head.has(KnownHeader.COOKIE)) {
            return NONE;
        }
        Cookies cookies = Cookies.parse(head.headers());
        for (String name : names) {
            String value = cookies.first(name);
            if (value != null && !value.isEmpty()) {
                return key(value);
            }
        }
        return NONE;
    }

    /// Returns the key of the session that a response begins, by its cookie or else by the mark
    /// that it sets; or [#NONE].
    long keyOf(ResponseHeaders fields) {
        List<String> cookies = fields.all("Set-Cookie");
        for (String cookie : cookies) {
            String value = valueOf(cookie);
            if (value != null && !value.isEmpty()) {
                return key(value);
            }
        }
        KnownSessions recognising = known;
        if (recognising != null) {
            for (String cookie : cookies) {
                long mark = recognising.find(Cookies.parse(pair(cookie))).orElse(NONE);
                if (mark != NONE) {
                    return mark;
                }
            }
        }
        return NONE;
    }

    /// Returns what the client will send.
    private static Headers pair(String cookie) {
        int end = cookie.indexOf(';');
        return Headers.of("Cookie", end < 0 ? cookie : cookie.substring(0, end));
    }

    private @Nullable String valueOf(String cookie) {
        int equals = cookie.indexOf('=');
        if (equals < 0 || !names.contains(cookie.substring(0, equals))) {
            return null;
        }
        int end = cookie.indexOf(';', equals);
        if (end >= 0 && DELETED.matcher(cookie).find(end)) {
            return null; // the value that overwrites deleted cookies is no secret
        }
        return cookie.substring(equals + 1, end < 0 ? cookie.length() : end).strip();
    }

    private long key(String value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Salt.BYTES);
            byte[] hash = digest.digest(value.getBytes(StandardCharsets.UTF_8));
            long key = ByteBuffer.wrap(Objects.requireNonNull(hash)).getLong();
            return key == NONE ? 1 : key;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// Made at the first cookie: random numbers take 30 ms to set up, which a start need not wait
    /// for.
    private static final class Salt {
        static final byte[] BYTES = new byte[SALT_BYTES];

        static {
            new SecureRandom().nextBytes(BYTES);
        }
    }
}
