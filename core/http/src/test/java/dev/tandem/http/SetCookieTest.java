package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 6265, section 4.1.
class SetCookieTest {
    private static final SetCookie PLAIN = SetCookie.of("id", "x1");

    @Test
    void defaultsAreSafe() {
        assertEquals("id=x1; Path=/; HttpOnly; SameSite=Lax", PLAIN.toString());
    }

    @Test
    void allAttributesAreWritten() {
        var cookie =
                PLAIN.path("/a-b")
                        .domain("example.org")
                        .maxAge(Duration.ofHours(1))
                        .secure(true)
                        .httpOnly(false)
                        .sameSite(SetCookie.SameSite.STRICT);
        assertEquals(
                "id=x1; Path=/a-b; Domain=example.org; Max-Age=3600; Secure; SameSite=Strict",
                cookie.toString());
    }

    @Test
    void originalCookieIsUnchanged() {
        PLAIN.secure(true);
        assertFalse(PLAIN.toString().contains("Secure"));
    }

    @Test
    void sameSiteNoneMakesCookieSecure() {
        assertEquals(
                "id=x1; Path=/; Secure; HttpOnly; SameSite=None",
                PLAIN.sameSite(SetCookie.SameSite.NONE).toString());
    }

    @Test
    void sameSiteNoneCookieMustStaySecure() {
        var cookie = PLAIN.sameSite(SetCookie.SameSite.NONE);
        assertThrows(IllegalArgumentException.class, () -> cookie.secure(false));
    }

    @Test
    void expiredCookieHasMaxAgeZero() {
        assertEquals(
                "id=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
                SetCookie.expired("id").toString());
    }

    @Test
    void negativeMaxAgeBecomesZero() {
        assertEquals(
                "id=x1; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
                PLAIN.maxAge(Duration.ofSeconds(-5)).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"__Host-id", "__Secure-id", "__host-id"})
    void secureFollowsNamePrefix(String name) {
        var cookie = SetCookie.of(name, "1");
        assertEquals(name + "=1; Path=/; Secure; HttpOnly; SameSite=Lax", cookie.toString());
        assertThrows(IllegalArgumentException.class, () -> cookie.secure(false));
    }

    @Test
    void hostCookieHasNoDomainAndRootPath() {
        var cookie = SetCookie.of("__Host-id", "1");
        assertThrows(IllegalArgumentException.class, () -> cookie.domain("example.org"));
        assertThrows(IllegalArgumentException.class, () -> cookie.path("/a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a=b", "a;b", "a\r\nb", "ä", "a\"", "a,b"})
    void nameThatIsNotATokenThrows(String name) {
        assertThrows(IllegalArgumentException.class, () -> SetCookie.of(name, "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a;b", "a,b", "a\"b", "a\\b", "a\r\nb", "\u0000", "ü", "\u007f"})
    void invalidValuesThrow(String value) {
        assertThrows(IllegalArgumentException.class, () -> SetCookie.of("a", value));
    }

    @Test
    void exceptionDoesNotContainValue() {
        var error =
                assertThrows(IllegalArgumentException.class, () -> SetCookie.of("a", "my secret"));
        assertFalse(String.valueOf(error.getMessage()).contains("secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a;b", "/a\r\n", "/ä", "/a b"})
    void invalidPathsThrow(String path) {
        assertThrows(IllegalArgumentException.class, () -> PLAIN.path(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a;b", "a b", "a/b", "ä.de", "a:80", "a\n"})
    void invalidDomainsThrow(String domain) {
        assertThrows(IllegalArgumentException.class, () -> PLAIN.domain(domain));
    }
}
