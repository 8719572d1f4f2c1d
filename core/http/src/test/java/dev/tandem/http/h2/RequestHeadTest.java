package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.HttpVersion;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9113, sections 8.1.1, 8.2, 8.3 and 8.5; RFC 8441, section 4.
class RequestHeadTest {
    private static final String[] GET = {
        ":method: GET", ":scheme: https", ":path: /a?b", ":authority: a.example"
    };

    private final Http2RequestHead head = new Http2RequestHead();

    @Test
    void requestIsTranslated() {
        assertNull(set(get("accept: */*", "x-own: 1", "x-own: 2", "content-length: 0")));
        assertEquals("GET", head.method());
        assertEquals("https", head.scheme());
        assertEquals("a.example", head.authority());
        assertEquals("/a?b", head.path());
        assertNull(head.protocol());
        assertEquals(
                "accept: */*\nx-own: 1\nx-own: 2\ncontent-length: 0\nhost: a.example\n",
                head.headers().toString());
        assertTrue(head.has(KnownHeader.ACCEPT));
        assertFalse(head.has(KnownHeader.COOKIE));
        assertEquals("a.example", head.value(KnownHeader.HOST));
        assertEquals("a.example", head.value("Host"));
        assertEquals("1", head.value("X-Own"));
        assertEquals("", head.value("X-Other"));
        assertEquals("", head.value(KnownHeader.COOKIE));
        assertTrue(head.isExactly(KnownHeader.ACCEPT, "*/*"));
        assertFalse(head.isExactly(KnownHeader.ACCEPT, "*"));
        assertEquals(0, head.contentLength());
        assertEquals(1, head.minorVersion());
        assertSame(HttpVersion.HTTP_2, head.version());
        assertFalse(head.hasBody());
    }

    @Test
    void targetIsParsedOnRequest() {
        assertNull(set(GET));
        assertThrows(IllegalStateException.class, head::target);
        RequestTarget target = assertInstanceOf(RequestTarget.class, head.parseTarget(false));
        assertEquals("/a", target.path());
        assertEquals("b", target.query());
        head.target(target);
        assertSame(target, head.target());
    }

    @Test
    void copyIsIndependent() {
        assertNull(set(get("cookie: a=b", "cookie: c=d")));
        head.target((RequestTarget) head.parseTarget(false));
        Http2RequestHead copy = head.copy();
        assertNull(set(":method: POST", ":scheme: http", ":path: /", ":authority: b"));
        assertEquals("GET", copy.method());
        assertEquals("a.example", copy.value(KnownHeader.HOST));
        assertEquals("a=b; c=d", copy.value(KnownHeader.COOKIE));
        assertEquals("/a", copy.target().path());
        assertEquals("cookie: a=b; c=d\nhost: a.example\n", copy.headers().toString());
        assertEquals("host: b\n", head.headers().toString());
        assertEquals("POST", head.method());
    }

    @Test
    void repeatedKnownHeaderIsNotExact() {
        assertNull(set(get("accept: a", "accept: b")));
        assertEquals("a", head.value(KnownHeader.ACCEPT));
        assertFalse(head.isExactly(KnownHeader.ACCEPT, "a"));
    }

    @Test
    void cookieCrumbsAreOneHeaderInThePlaceOfTheFirst() {
        assertNull(set(get("a: 1", "cookie: b=c", "d: 2", "cookie: e=f", "cookie: g", "h: 3")));
        assertEquals(
                "a: 1\ncookie: b=c; e=f; g\nd: 2\nh: 3\nhost: a.example\n",
                head.headers().toString());
        assertTrue(head.isExactly(KnownHeader.COOKIE, "b=c; e=f; g"));
    }

    @Test
    void manyCookieCrumbsAreJoined() {
        var headers = new ArrayList<>(List.of(GET));
        for (int i = 0; i < 150; i++) {
            headers.add("cookie: c" + i);
        }
        assertNull(set(headers.toArray(new String[0])));
        assertEquals(2, head.headers().size());
        assertTrue(head.value(KnownHeader.COOKIE).endsWith("; c148; c149"));
    }

    @Test
    void hostMayReplaceTheAuthority() {
        assertNull(set(":method: GET", ":scheme: http", ":path: /", "host: a:80"));
        assertEquals("a:80", head.authority());
        assertEquals("host: a:80\n", head.headers().toString());
    }

    @Test
    void hostThatEqualsTheAuthorityIsKept() {
        assertNull(set(get("host: A.example")));
        assertEquals("a.example", head.authority());
        assertEquals("host: A.example\n", head.headers().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a:80",
                "a.example:443",
                "127.0.0.1",
                "[::1]",
                "[2001:db8::1]:80",
                "xn--bcher-kva.example"
            })
    void authorityIsAHost(String authority) {
        assertNull(set(":method: GET", ":scheme: http", ":path: /", ":authority: " + authority));
        assertEquals(authority, head.value(KnownHeader.HOST));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "user@a",
                "user:password@a",
                "a b",
                "a:99999",
                "a%41b",
                "a,b",
                "a/b",
                "::1",
                "[::1",
                "a:b",
                " a",
                "a ",
                "a\r\nb",
                "\u00e4"
            })
    void malformedAuthorityIsRejected(String authority) {
        assertEquals(
                "400 malformed :authority",
                error(":method: GET", ":scheme: http", ":path: /", ":authority: " + authority));
        assertEquals(
                "400 malformed Host header",
                error(":method: GET", ":scheme: http", ":path: /", "host: " + authority));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "http://a/", "?a", "**", "*/", " /"})
    void pathThatIsNotAbsoluteIsRejected(String path) {
        assertEquals(
                "400 malformed :path",
                error(":method: GET", ":scheme: http", ":path: " + path, ":authority: a"));
    }

    @ParameterizedTest
    @CsvSource({"GET, *", "GET, /%2F", "GET, /a b", "GET, /..", "GET, /#", "GET, /\u00e4"})
    void invalidTargetIsFoundWhenItIsParsed(String method, String path) {
        assertNull(set(":method: " + method, ":scheme: http", ":path: " + path, ":authority: a"));
        assertInstanceOf(ParsedTarget.Invalid.class, head.parseTarget(false));
    }

    @Test
    void asteriskIsForOptions() {
        assertNull(set(":method: OPTIONS", ":scheme: http", ":path: *", ":authority: a"));
        RequestTarget target = (RequestTarget) head.parseTarget(false);
        assertEquals(RequestTarget.Form.ASTERISK, target.form());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"})
    void methodsAreConstants(String method) {
        assertNull(set(":method: " + method, ":scheme: http", ":path: /", ":authority: a"));
        assertSame(method.intern(), head.method());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GE T", "G\u00e4", "GET\r\n", "(x)"})
    void methodThatIsNotATokenIsRejected(String method) {
        assertEquals(
                "400 malformed :method",
                error(":method: " + method, ":scheme: http", ":path: /", ":authority: a"));
    }

    @ParameterizedTest
    @CsvSource({"http", "https", "HTTP", "HttpS"})
    void schemeIsHttpInAnyCase(String scheme) {
        assertNull(set(":method: GET", ":scheme: " + scheme, ":path: /", ":authority: a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ftp", "httpx", "http:", "htt@"})
    void otherSchemeIsRejected(String scheme) {
        assertEquals(
                "400 scheme other than http and https",
                error(":method: GET", ":scheme: " + scheme, ":path: /", ":authority: a"));
    }

    @Test
    void missingPseudoHeaderIsRejected() {
        assertEquals("400 no :method", error());
        assertEquals("400 no :method", error(":scheme: http", ":path: /", ":authority: a"));
        assertEquals("400 no :scheme", error(":method: GET", ":path: /", ":authority: a"));
        assertEquals("400 no :path", error(":method: GET", ":scheme: http", ":authority: a"));
        assertEquals(
                "400 neither :authority nor Host",
                error(":method: GET", ":scheme: http", ":path: /"));
    }

    @ParameterizedTest
    @ValueSource(strings = {":method: GET", ":scheme: https", ":path: /", ":authority: a.example"})
    void repeatedPseudoHeaderIsRejected(String header) {
        String name = header.substring(0, header.indexOf(':', 1));
        var headers = new ArrayList<>(List.of(GET));
        headers.add(header);
        assertEquals("400 more than one " + name, error(headers.toArray(new String[0])));
    }

    @Test
    void pseudoHeaderMustComeFirst() {
        assertEquals(
                "400 pseudo-header after a header",
                error(":method: GET", ":scheme: http", "a: b", ":path: /", ":authority: a"));
    }

    @Test
    void otherPseudoHeaderIsRejected() {
        assertEquals("400 :status in a request", error(":status: 200", ":method: GET"));
        assertEquals("400 unknown pseudo-header", error(get(":unknown: x")));
        assertEquals("400 field without a name", error(get(":: x")));
    }

    @ParameterizedTest
    @CsvSource({
        "connection, close",
        "connection, x",
        "keep-alive, timeout=5",
        "proxy-connection, keep-alive",
        "transfer-encoding, chunked",
        "upgrade, h2c"
    })
    void connectionSpecificHeaderIsRejected(String name, String value) {
        assertEquals("400 connection-specific header", error(get(name + ": " + value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"trailers", "Trailers"})
    void teMayAcceptTrailers(String te) {
        assertNull(set(get("te: " + te)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "trailers, gzip", "", "trailers;q=1"})
    void otherTeIsRejected(String te) {
        assertEquals("400 TE other than trailers", error(get("te: " + te)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upper: a", "x-Y: a", "COOKIE: a", "Host: a"})
    void upperCaseNameIsRejected(String header) {
        assertEquals("400 upper case in a field name", error(get(header)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b: c", "a\r: c", "a\n: b", "\u00e4: b", "a\0: b", "a(: b", "\u007f: b"})
    void nameThatIsNotATokenIsRejected(String header) {
        assertEquals("400 field name is not a token", error(get(header)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: b\rc", "a: b\n", "a: \0", "a: b\u007fc", "a: \u0001"})
    void controlCharacterInAValueIsRejected(String header) {
        assertEquals("400 control character in a field value", error(get(header)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:  b", "a: b ", "a: \tb", "a: b\t", "a:  "})
    void blankAroundAValueIsRejected(String header) {
        assertEquals("400 blank at the start or end of a field value", error(get(header)));
    }

    @Test
    void otherBytesOfAValueAreAccepted() {
        assertNull(set(get("a: \u00e4\u00ff b\tc", "empty: ")));
        assertEquals("\u00e4\u00ff b\tc", head.value("a"));
    }

    @Test
    void hostThatDiffersFromTheAuthorityIsRejected() {
        assertEquals("400 Host differs from :authority", error(get("host: b.example")));
        assertEquals("400 Host differs from :authority", error(get("host: a.example:443")));
        assertEquals("400 more than one Host header", error(get("host: a", "host: a")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+5", "-5", "5 ", "0x5", "5,5", "1234567890123456789", "a"})
    void malformedContentLengthIsRejected(String length) {
        assertEquals(
                "400 Content-Length is not 1 to 18 digits",
                error(get("content-length: " + length)));
    }

    @Test
    void contentLengthIsComparedWithTheEndOfTheStream() {
        assertEquals(
                "400 Content-Length of a request without content", error(get("content-length: 5")));
        assertNull(head.set(Lists.of(get("content-length: 005")), false, false));
        assertEquals(5, head.contentLength());
        assertTrue(head.hasBody());
        assertEquals(
                "400 more than one Content-Length header",
                error(get("content-length: 0", "content-length: 0")));
    }

    @Test
    void expectation() {
        assertNull(head.set(Lists.of(get("expect: 100-Continue")), false, false));
        assertTrue(head.expectsContinue());
        assertNull(set(get("expect: 100-continue")));
        assertFalse(head.expectsContinue());
        assertEquals("417 expectation other than 100-continue", error(get("expect: x")));
    }

    @Test
    void connectHasAnAuthorityOnly() {
        assertNull(set(":method: CONNECT", ":authority: a.example:443"));
        RequestTarget target = (RequestTarget) head.parseTarget(false);
        assertEquals(RequestTarget.Form.AUTHORITY, target.form());
        String error = "400 CONNECT with other pseudo-headers than :authority";
        assertEquals(error, error(":method: CONNECT", ":authority: a:1", ":scheme: https"));
        assertEquals(error, error(":method: CONNECT", ":authority: a:1", ":path: /"));
        assertEquals(error, error(":method: CONNECT"));
        assertEquals(error, error(":method: CONNECT", "host: a:1"));
    }

    @Test
    void extendedConnectHasAProtocol() {
        String[] list = {
            ":method: CONNECT",
            ":protocol: websocket",
            ":scheme: https",
            ":path: /chat",
            ":authority: a"
        };
        assertNull(head.set(Lists.of(list), false, true));
        assertEquals("websocket", head.protocol());
        assertEquals("CONNECT", head.method());
        RequestTarget target = (RequestTarget) head.parseTarget(false);
        assertEquals("/chat", target.path());
        assertEquals(RequestTarget.Form.ORIGIN, target.form());
        assertEquals("websocket", head.copy().protocol());
        String error = "400 :protocol without extended CONNECT";
        assertEquals(error, text(head.set(Lists.of(list), false, false)));
        assertEquals(error, text(head.set(Lists.of(get(":protocol: websocket")), false, true)));
        assertEquals(
                "400 no :path",
                text(
                        head.set(
                                Lists.of(
                                        ":method: CONNECT",
                                        ":protocol: websocket",
                                        ":scheme: https",
                                        ":authority: a"),
                                false,
                                true)));
        assertEquals(
                "400 no :scheme",
                text(
                        head.set(
                                Lists.of(
                                        ":method: CONNECT",
                                        ":protocol: websocket",
                                        ":path: /",
                                        ":authority: a"),
                                false,
                                true)));
    }

    @Test
    void listOverItsLimitsIs431AndStillNamesTheRequest() {
        HeaderList list = Lists.of(250, get("a: " + "b".repeat(100), "c: d"));
        assertTrue(list.isTooLarge());
        assertEquals("431 header list over its limits", text(head.set(list, true, false)));
        assertEquals("GET", head.method());
        assertEquals("/a?b", head.path());
    }

    @Test
    void clearedHeadHasNothing() {
        assertNull(set(get("a: b")));
        head.clear();
        assertEquals("", head.method() + head.path() + head.authority() + head.scheme());
        assertEquals(0, head.headers().size());
    }

    private static String[] get(String... more) {
        var headers = new ArrayList<>(List.of(GET));
        headers.addAll(List.of(more));
        return headers.toArray(new String[0]);
    }

    private @Nullable MalformedMessage set(String... headers) {
        return head.set(Lists.of(headers), true, false);
    }

    private String error(String... headers) {
        return text(set(headers));
    }

    private static String text(@Nullable MalformedMessage error) {
        return error == null ? "none" : error.status() + " " + error.reason();
    }
}
