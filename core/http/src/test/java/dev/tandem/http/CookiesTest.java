package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 6265, sections 4.2 and 5.4.
class CookiesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            emptyValue = "",
            value = {
                "a=b | b",
                "x=1; a=b | b",
                "x=1;a=b | b",
                "a=b; a=c | b",
                "a=b=c== | b=c==",
                "a= | ~~",
                "a=\"b\" | b",
                "a=\"b | \"b",
                "a=\" | \"",
                "a=\"\" | ~~",
                "a=b c,d | b c,d",
                "a = b | b",
                "junk; a=b | b",
                "=x; a=b | b",
                "b@d=1; a=b | b",
                ";;; a=b;; | b",
                "a=%41 | %41",
                "$Version=1; a=b | b"
            })
    void firstValueIsReturned(String field, String value) {
        assertEquals(value, Cookies.parse(Headers.of("Cookie", field)).first("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";", "a", "=", "=a", "A=1", "a b=1", "(a)=1", "a\t\u00e9=1"})
    void malformedCookiesAreIgnored(String field) {
        assertNull(Cookies.parse(Headers.of("Cookie", field)).first("a"));
    }

    @Test
    void repeatedHeadersAreRead() {
        var cookies = Cookies.parse(Headers.of("Cookie", "a=1; b=2", "cookie", "a=3"));
        assertEquals(List.of("1", "3"), cookies.all("a"));
        assertEquals(List.of("a", "b"), cookies.names());
    }

    @Test
    void requestWithoutHeaderHasNoCookies() {
        assertSame(Cookies.EMPTY, Cookies.parse(Headers.EMPTY));
    }

    @Test
    void cookiesBeyondLimitAreIgnored() {
        var cookies =
                Cookies.parse(
                        Headers.of("Cookie", "a=b;".repeat(199) + "c=1;d=2", "Cookie", "e=3"));
        assertEquals("1", cookies.first("c"));
        assertNull(cookies.first("d"));
        assertNull(cookies.first("e"));
    }

    /// They cost as much as valid ones, and cookies are parsed on event loops.
    @ParameterizedTest
    @ValueSource(strings = {"(=;", "a;", ";", "=;"})
    void malformedCookiesCountForTheLimit(String malformed) {
        String almost = malformed.repeat(199);
        assertEquals("c", Cookies.parse(Headers.of("Cookie", almost + "b=c")).first("b"));
        assertNull(Cookies.parse(Headers.of("Cookie", almost + malformed + "b=c")).first("b"));
        var two = Headers.of("Cookie", almost + malformed, "Cookie", "b=c");
        assertNull(Cookies.parse(two).first("b"));
    }
}
