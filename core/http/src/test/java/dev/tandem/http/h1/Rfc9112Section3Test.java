package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tandem.http.MalformedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112, sections 2.3 and 3: the request line, the version, the Host header.
class Rfc9112Section3Test {
    private static final MalformedMessage MALFORMED =
            MalformedMessage.badRequest("request line is not method, target and HTTP version");
    private static final MalformedMessage NO_METHOD =
            MalformedMessage.badRequest("request line does not begin with a method");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"
            })
    @SuppressWarnings("StringOperationCanBeSimplified")
    void commonMethodsAreConstants(String method) {
        String wire = method + " / HTTP/1.1\r\nHost: a\r\n\r\n";
        assertSame(method.intern(), SplitInput.head(wire).method());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "M",
                "get",
                "GETS",
                "GE",
                "PROPFIND",
                "M-SEARCH",
                "!#$%&'*+-.^_`|~09AZaz",
                "A1234567890123456789012345678901"
            })
    void anyTokenIsAMethod(String method) {
        assertEquals(method, SplitInput.head(method + " / HTTP/1.1\r\nHost: a\r\n\r\n").method());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G(T / HTTP/1.1",
                "GET: / HTTP/1.1",
                "GET\t/ HTTP/1.1",
                "GET",
                "G\u00c9T / HTTP/1.1",
                "GET/ HTTP/1.1",
                "A12345678901234567890123456789012 / HTTP/1.1",
                "GET\"/ HTTP/1.1"
            })
    void invalidMethodIsRejected(String line) {
        assertEquals(NO_METHOD, SplitInput.bad(line + "\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET ",
                "GET /",
                "GET / ",
                "GET  HTTP/1.1",
                "GET HTTP/1.1",
                "GET / http/1.1",
                "GET / HTTP/1.1 ",
                "GET / HTTP/1.",
                "GET / HTTP/1.10",
                "GET / HTTP/01.1",
                "GET / HTTP/11",
                "GET / HTTP/1,1",
                "GET / HTTP/-1.1",
                "GET / HTTP/x.1",
                "GET / HTTP/1.x",
                "GET / HTTPS/1.1",
                "GET /\tHTTP/1.1",
                "GET /index.html",
                "GET / HTTP 1.1",
                "GET / ICY/1.1",
            })
    void malformedRequestLineIsRejected(String line) {
        assertEquals(MALFORMED, SplitInput.bad(line + "\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET  / HTTP/1.1",
                "GET /  HTTP/1.1",
                "GET /a b HTTP/1.1",
                "GET /a\tb HTTP/1.1",
                "GET \t HTTP/1.1",
                "GET / HTTP/1.1 HTTP/1.1",
                "GET /caf\u00e9 HTTP/1.1",
                "GET /\u0080 HTTP/1.1",
                "GET /\u00a0 HTTP/1.1",
            })
    void targetThatIsNotVisibleAsciiIsRejected(String line) {
        assertEquals(
                MalformedMessage.badRequest("blank or non-ASCII byte in the request target"),
                SplitInput.bad(line + "\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/2.0", "HTTP/0.9", "HTTP/3.1", "HTTP/9.9"})
    void otherMajorVersionIsNotSupported(String version) {
        assertEquals(
                new MalformedMessage(505, "HTTP version other than 1.x"),
                SplitInput.bad("PRI * " + version + "\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.0,0", "HTTP/1.1,1", "HTTP/1.2,1", "HTTP/1.9,1"})
    void higherMinorVersionIsTreatedAsHighestKnown(String version, int minor) {
        String wire = "GET / " + version + "\r\nHost: a\r\n\r\n";
        assertEquals(minor, SplitInput.head(wire).minorVersion());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "*", "/a?b#c", "http://a.example/x", "a.example:443", "/[\"<>^`{|}~"})
    void targetIsUnchanged(String target) {
        Http1RequestHead head = SplitInput.head("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals(target, SplitInput.text(head.bytes(), head.targetFrom(), head.targetTo()));
    }

    @Test
    void requestLineUpToLimitIsAccepted() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withRequestLineMax(32));
        Http1RequestHead head = SplitInput.head(limits, line(32) + "\r\nHost: a\r\n\r\n");
        assertEquals(32, head.targetTo() + " HTTP/1.1".length());
    }

    @Test
    void requestLineBeyondLimitIsRejectedEarly() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withRequestLineMax(32));
        assertEquals(
                new MalformedMessage(414, "request line longer than 32 bytes"),
                SplitInput.bad(limits, line(33) + "\r"));
    }

    @Test
    void longLineWithoutMethodGets400() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withRequestLineMax(64));
        assertEquals(NO_METHOD, SplitInput.bad(limits, "x".repeat(80)));
    }

    @Test
    void defaultLimitIsEnforced() {
        assertEquals(414, SplitInput.bad(line(9_000)).status());
    }

    @Test
    void http11RequestRequiresHost() {
        assertEquals(
                MalformedMessage.badRequest("no Host header"),
                SplitInput.bad("GET / HTTP/1.1\r\nX: y\r\n\r\n"));
    }

    @Test
    void http10RequestNeedsNoHost() {
        assertEquals("", SplitInput.head("GET / HTTP/1.0\r\n\r\n").host());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1"})
    void repeatedHostIsRejected(String version) {
        assertEquals(
                MalformedMessage.badRequest("more than one Host header"),
                SplitInput.bad("GET / " + version + "\r\nHost: a\r\nhOST: a\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a.example",
                "a.example:",
                "a.example:80",
                "127.0.0.1:8080",
                "[::1]",
                "[::1]:8080",
                "[2001:db8::8:800:200C:417A]",
                "x_y~z!$&'()*+;=",
                "A.EXAMPLE"
            })
    void validHostIsAccepted(String host) {
        assertEquals(host, SplitInput.head("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").host());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a/b",
                "user@a",
                "a:b",
                "a:80:80",
                "a:-80",
                "a:+80",
                "a:8 0",
                "[::1",
                "::1",
                "[::1]x",
                "[]",
                "[1.2.3.4",
                "a%",
                "a%2",
                "a%zz",
                "a%2Db",
                "a?b",
                "a#b",
                "a\\b",
                "\"a\"",
                "<a>",
                "a\u00e9",
                "http://a",
                "a:65536"
            })
    void malformedHostIsRejected(String host) {
        assertEquals(
                MalformedMessage.badRequest("malformed Host header"),
                SplitInput.bad("GET / HTTP/1.0\r\nHost: " + host + "\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "a, b", "a,a", ","})
    void joinedHostsAreRejected(String hosts) {
        assertEquals(
                MalformedMessage.badRequest("more than one host in the Host header"),
                SplitInput.bad("GET / HTTP/1.1\r\nHost: " + hosts + "\r\n\r\n"));
    }

    /// Returns a request line with the given length.
    private static String line(int length) {
        return "GET /" + "x".repeat(length - "GET / HTTP/1.1".length()) + " HTTP/1.1";
    }
}
