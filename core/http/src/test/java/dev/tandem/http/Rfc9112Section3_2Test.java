package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Request targets.
class Rfc9112Section3_2Test {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '~',
            value = {
                "/ /",
                "/a/b /a/b",
                "/a/b/ /a/b/",
                "/a//b /a/b",
                "//a///b// /a/b/",
                "//host/a /host/a",
                "/. /",
                "/./a /a",
                "/a/. /a/",
                "/a/./b /a/b",
                "/a/b/.. /a/",
                "/a/b/../ /a/",
                "/a/b/../c /a/c",
                "/a//../b /b",
                "/a/b/../../c /c",
                "/a/.. /",
                "/... /...",
                "/.a /.a",
                "/a. /a.",
                "/a../b /a../b",
                "/..a /..a",
                "/%61 /a",
                "/%2e /",
                "/a/%2E%2e/b /b",
                "/a/.%2e/b /b",
                "/a/%2e./b /b",
                "/a/%2e%2e%2e /a/...",
                "/%25 /%",
                "/%252e%252e/a /%2e%2e/a",
                "/a+b /a+b",
                "/%c3%bc /ü",
                "/%E2%82%AC /€",
                "/%F0%9F%98%80 /\uD83D\uDE00",
                "/%3F%23 /?#",
                "/a;b=c,d /a;b=c,d",
                "/..;/a /..;/a",
                "/[a]|b /[a]|b",
                "/!$&'()*,=:@-._~ /!$&'()*,=:@-._~",
            })
    void pathsAreDecoded(String raw, String path) {
        assertEquals(path, target("GET", raw).path());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/..",
                "/../a",
                "/%2e%2e/a",
                "/a/../..",
                "/a/../../b",
                "//..",
                "/./..",
                "/a/%2e%2E/.%2e",
                "http://h/.."
            })
    void pathsAboveRootAreRejected(String raw) {
        assertRejected("GET", raw);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/a%2Fb/%41 /a%2Fb/A",
                "/a%5cb/../c /c",
                "/a%2f../b /a%2f../b",
                "/%2e%2e%2fa/%2e /..%2fa/",
                "/%00%7F /%00%7F"
            })
    void lenientParserKeepsAmbiguousCodes(String raw, String path) {
        byte[] bytes = raw.getBytes(StandardCharsets.US_ASCII);
        RequestTarget target =
                assertInstanceOf(
                        RequestTarget.class,
                        RequestTarget.parseLenient("GET", bytes, 0, bytes.length));
        assertEquals(path, target.path());
        assertEquals(raw, target.raw());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "GET http://user:pwd@a:80/b a:80",
                "GET http://@a/ a",
                "GET https://u%40!@[::1]?x@y [::1]",
                "GET http://a/b@c a",
                "CONNECT a a",
                "CONNECT a:80 a:80"
            })
    void lenientParserDropsUserInformation(String method, String raw, String authority) {
        assertEquals(authority, ambiguous(method, raw, RequestTarget.class).authority());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a@b@c/",
                "http://a@/",
                "http://a[@b/",
                "http://a@b c/",
                "http://a\\@b/"
            })
    void invalidUserInformationIsRejected(String raw) {
        assertEquals(400, ambiguous("GET", raw, ParsedTarget.Invalid.class).error().status());
    }

    private static <T> T ambiguous(String method, String raw, Class<T> result) {
        byte[] bytes = raw.getBytes(StandardCharsets.US_ASCII);
        return assertInstanceOf(result, RequestTarget.parseLenient(method, bytes, 0, bytes.length));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a%2Fb",
                "/a%2fb",
                "/a%5Cb",
                "/a%5cb",
                "/%00",
                "/%00/../a",
                "/a%00.html",
                "/%0a",
                "/%0D",
                "/%7f",
                "/%1F",
                "/%C2%85",
                "/..%2f",
                "/%2e%2e%2f",
                "/..%5c"
            })
    void ambiguousPathsAreRejected(String raw) {
        assertRejected("GET", raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%4g", "/%g4", "/a%", "/%%41", "/%+1", "/% 1", "/%u0041"})
    void malformedPercentCodesAreRejected(String raw) {
        assertRejected("GET", raw);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%80",
                "/%c3",
                "/%c3/%bc",
                "/%c0%af",
                "/%c1%81",
                "/%e0%80%af",
                "/%f0%80%80%af",
                "/%ed%a0%80",
                "/%ed%a0%bd%ed%b8%80",
                "/%f4%90%80%80",
                "/%ff",
                "/%fe"
            })
    void invalidUtf8IsRejected(String raw) {
        assertRejected("GET", raw);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a b",
                "/a\tb",
                "/a\u0000",
                "/\u007f",
                "/<",
                "/>",
                "/\"",
                "/{",
                "/}",
                "/^",
                "/`",
                "/\\",
                "/#",
                "/a#b",
                "/\u00fc",
                "/?a b",
                "/?<",
                "/?>",
                "/?\"",
                "/?#",
                "/?\u00fc",
                "/?\u0000",
                "/?\r",
                "/?a\nb"
            })
    void otherCharactersAreRejected(String raw) {
        assertRejected("GET", raw);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '~',
            value = {
                "/a?b=c /a b=c",
                "/a?b?c /a b?c",
                "/a?../..//%2F /a ../..//%2F",
                "/a/../b?c /b c",
                "/?[]{}|^\\`% / []{}|^\\`%",
                "/?a=1&b=%zz / a=1&b=%zz",
                "http://h?q / q"
            })
    void queriesAreUnchanged(String raw, String path, String query) {
        var target = target("GET", raw);
        assertEquals(path, target.path());
        assertEquals(query, target.query());
    }

    @Test
    void emptyQueryDiffersFromAbsentOne() {
        assertEquals("", target("GET", "/?").query());
        assertNull(target("GET", "/").query());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/a?b", "/a?", "/a/../b?c", "//a", "http://Host:80/a?b", "HTTPS://h"})
    void rawTargetIsAsSent(String raw) {
        var target = target("GET", raw);
        assertEquals(raw, target.raw());
        assertSame(target.raw(), target.raw());
        assertEquals(raw, target.toString());
    }

    @Test
    void parserReadsOnlyWithinBounds() {
        var bytes = "GET /a?b HTTP".getBytes(StandardCharsets.US_ASCII);
        var target = assertInstanceOf(RequestTarget.class, RequestTarget.parse("GET", bytes, 4, 8));
        assertEquals("/a?b", target.raw());
        assertEquals("b", target.query());
    }

    @Test
    void percentCodeAtBoundIsMalformed() {
        var bytes = "/%41".getBytes(StandardCharsets.US_ASCII);
        assertInstanceOf(ParsedTarget.Invalid.class, RequestTarget.parse("GET", bytes, 0, 3));
    }

    @Test
    void plainTargetAllocatesOnlyPath() {
        var target = target("GET", "/a");
        assertEquals(RequestTarget.Form.ORIGIN, target.form());
        assertSame(target.path(), target.raw());
        assertNull(target.authority());
    }

    /// Sections 3.2.2 and RFC 9110, section 4.2.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "http://host/a host /a",
                "http://host host /",
                "https://host:8443/a/ host:8443 /a/",
                "HTTP://HOST/A HOST /A",
                "http://[::1]:80/ [::1]:80 /",
                "http://127.0.0.1/ 127.0.0.1 /",
                "http://host:/ host: /",
                "http://h%20x.y/ - -",
                "http://h%c3%bc/ - -",
                "http://a.b-c_d~e/ a.b-c_d~e /",
                "http://h//a/%2e/b h /a/b"
            })
    void absoluteFormsAreParsed(String raw, String authority, String path) {
        if (authority.equals("-")) {
            assertRejected("GET", raw);
            return;
        }
        var target = target("GET", raw);
        assertEquals(RequestTarget.Form.ABSOLUTE, target.form());
        assertEquals(authority, target.authority());
        assertEquals(path, target.path());
    }

    /// RFC 9110, section 7.4.
    @ParameterizedTest
    @CsvSource({
        "https://host/a, true",
        "HTTPS://host/, true",
        "hTtPs://host, true",
        "http://host/a, false",
        "http://https/s, false",
        "/https://host/, false",
        "/a, false"
    })
    void absoluteFormHasScheme(String raw, boolean isHttps) {
        assertEquals(isHttps, target("GET", raw).isHttps());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http:/host/",
                "http:host",
                "http//host",
                "http://",
                "http:///a",
                "http://:80/",
                "http://user@host/",
                "http://user:secret@host/",
                "http://host:80:80/",
                "http://host:99999/",
                "http://host:123456/",
                "http://host:8o/",
                "http://[::1/",
                "http://[]/",
                "http://[12]/",
                "http://[::1]x/",
                "http://[v1.x]/",
                "http://ho st/",
                "http://h%2/",
                "http://h%00/",
                "http://host\\a/",
                "http://host#a",
                "ftp://host/",
                "httpss://host/",
                "htt",
                "https",
                "https:/",
                "javascript:alert(1)",
                "host",
                "a/b",
                "?a",
                "host:80",
                "**",
                ""
            })
    void otherFormsAreRejected(String raw) {
        assertRejected("GET", raw);
    }

    /// Section 3.2.3.
    @ParameterizedTest
    @ValueSource(strings = {"host:443", "[::1]:443", "10.0.0.1:1", "a:00080"})
    void authorityFormIsParsedForConnect(String raw) {
        var target = target("CONNECT", raw);
        assertEquals(RequestTarget.Form.AUTHORITY, target.form());
        assertEquals(raw, target.authority());
        assertEquals(raw, target.raw());
        assertEquals("/", target.path());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"host", "host:", ":443", "/", "*", "http://host/", "u@host:1", "h:1/", ""})
    void otherFormsAreRejectedForConnect(String raw) {
        assertRejected("CONNECT", raw);
    }

    /// Section 3.2.4.
    @Test
    void asteriskFormIsParsedForOptions() {
        var target = target("OPTIONS", "*");
        assertEquals(RequestTarget.Form.ASTERISK, target.form());
        assertEquals("*", target.raw());
        assertEquals("/", target.path());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "options", "POST"})
    void asteriskFormIsRejectedForOtherMethods(String method) {
        assertRejected(method, "*");
    }

    @Test
    void reasonDoesNotQuoteInput() {
        var error = assertInstanceOf(ParsedTarget.Invalid.class, parse("GET", "/<secret>"));
        assertTrue(!error.error().reason().contains("secret"));
    }

    private static void assertRejected(String method, String raw) {
        var error = assertInstanceOf(ParsedTarget.Invalid.class, parse(method, raw), raw);
        assertEquals(400, error.error().status());
    }

    private static RequestTarget target(String method, String raw) {
        return assertInstanceOf(RequestTarget.class, parse(method, raw), raw);
    }

    private static ParsedTarget parse(String method, String raw) {
        // Surrounded by other bytes, so that no bound coincides with that of the array.
        var bytes = ("/%" + raw + "41/..").getBytes(StandardCharsets.ISO_8859_1);
        return RequestTarget.parse(method, bytes, 2, bytes.length - 5);
    }
}
