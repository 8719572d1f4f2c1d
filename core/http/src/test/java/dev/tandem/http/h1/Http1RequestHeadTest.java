package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestTarget;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class Http1RequestHeadTest {
    private static final String WIRE =
            "\r\nGET /a?b HTTP/1.1\r\nHost: a.example:80\r\naccept: x/y\r\nIf-Match: \"1\"\r\n"
                    + "If-Match: \"2\"\r\nCookie:\r\nX-Own: \u00e9\r\n\r\n";

    @Test
    void headerIsFoundIgnoringCase() {
        assertEquals("x/y", SplitInput.head(WIRE).value(KnownHeader.ACCEPT));
    }

    @Test
    void firstOfSeveralHeadersIsReturned() {
        assertEquals("\"1\"", SplitInput.head(WIRE).value(KnownHeader.IF_MATCH));
    }

    @Test
    void absentHeaderHasEmptyValue() {
        assertEquals("", SplitInput.head(WIRE).value(KnownHeader.RANGE));
    }

    @Test
    void headerWithEmptyValueIsPresent() {
        assertTrue(SplitInput.head(WIRE).has(KnownHeader.COOKIE));
    }

    @Test
    void absentHeaderIsNotPresent() {
        assertFalse(SplitInput.head(WIRE).has(KnownHeader.RANGE));
    }

    @Test
    void isExactlyComparesCompleteValue() {
        Http1RequestHead head = SplitInput.head(WIRE);
        assertTrue(head.isExactly(KnownHeader.HOST, "a.example:80"));
        assertFalse(head.isExactly(KnownHeader.HOST, "a.example:8"));
        assertFalse(head.isExactly(KnownHeader.HOST, "a.example:81"));
        assertFalse(head.isExactly(KnownHeader.HOST, "a.example:800"));
    }

    @Test
    void isExactlyDistinguishesAbsentFromEmpty() {
        assertFalse(SplitInput.head(WIRE).isExactly(KnownHeader.RANGE, ""));
        assertTrue(SplitInput.head(WIRE).isExactly(KnownHeader.COOKIE, ""));
    }

    @Test
    void repeatedHeaderIsNotExactly() {
        assertFalse(SplitInput.head(WIRE).isExactly(KnownHeader.IF_MATCH, "\"1\""));
    }

    @Test
    void headersHaveNamesAndValuesAsSent() {
        assertEquals(
                "Host: a.example:80\naccept: x/y\nIf-Match: \"1\"\nIf-Match: \"2\"\n"
                        + "Cookie: \nX-Own: \u00e9\n",
                SplitInput.head(WIRE).headers().toString());
    }

    @Test
    void headersAreCreatedOnce() {
        Http1RequestHead head = SplitInput.head(WIRE);
        assertSame(head.headers(), head.headers());
    }

    @Test
    void moreHeadersThanExpectedAreStored() {
        String many = "Accept: 1\r\n".repeat(30) + "Range: x\r\n" + "X: 2\r\n".repeat(60);
        assertEquals("x", SplitInput.head(SplitInput.request(many)).value(KnownHeader.RANGE));
    }

    @Test
    void targetIsReturnedAsSet() {
        Http1RequestHead head = SplitInput.head(WIRE);
        RequestTarget target = target(head);
        head.target(target);
        assertSame(target, head.target());
    }

    @Test
    void missingTargetThrows() {
        assertThrows(IllegalStateException.class, () -> SplitInput.head(WIRE).target());
    }

    @Test
    void authorityOfTargetReplacesHost() {
        Http1RequestHead head =
                SplitInput.head(
                        "GET http://b.example/ HTTP/1.1\r\nA: 1\r\nhost: a.example\r\n\r\n");
        assertEquals("A: 1\nhost: a.example\n", head.headers().toString());
        head.target(target(head));
        for (Http1RequestHead each : List.of(head, head.copy())) {
            assertEquals("b.example", each.host());
            assertEquals("b.example", each.value("hOst"));
            assertTrue(each.isExactly(KnownHeader.HOST, "b.example"));
            assertFalse(each.isExactly(KnownHeader.HOST, "a.example"));
            assertEquals("A: 1\nHost: b.example\n", each.headers().toString());
        }
    }

    @Test
    void authorityOfTargetIsHostIfNoneWasSent() {
        Http1RequestHead head = SplitInput.head("GET http://b.example/ HTTP/1.0\r\nA: 1\r\n\r\n");
        assertFalse(head.has(KnownHeader.HOST));
        head.target(target(head));
        assertTrue(head.has(KnownHeader.HOST));
        assertEquals("b.example", head.value("Host"));
        assertEquals("Host: b.example\nA: 1\n", head.headers().toString());
    }

    @Test
    void copyHasSameContent() {
        Http1RequestHead head = SplitInput.head(WIRE);
        head.target(target(head));
        assertEquals(SplitInput.description(head), SplitInput.description(head.copy()));
    }

    @Test
    void copyKeepsTarget() {
        Http1RequestHead head = SplitInput.head(WIRE);
        head.target(target(head));
        assertSame(head.target(), head.copy().target());
    }

    @Test
    void copyIsIndependentOfBuffer() {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        byte[] bytes = SplitInput.bytes("......" + WIRE + "GET /next");
        decoder.decode(bytes, 6, bytes.length);
        Http1RequestHead copy = decoder.head().copy();
        String before = SplitInput.description(decoder.head());
        Arrays.fill(bytes, (byte) 'x');
        decoder.reset();
        byte[] other =
                SplitInput.bytes(SplitInput.request("Content-Length: 7\r\nAccept: other\r\n"));
        decoder.decode(other, 0, other.length);
        assertEquals(before, SplitInput.description(copy));
        assertEquals("x/y", copy.value(KnownHeader.ACCEPT));
    }

    @Test
    void copyHoldsOnlyItsBytes() {
        Http1RequestHead head = SplitInput.head(WIRE + "GET /next");
        Http1RequestHead copy = head.copy();
        assertNotSame(head.bytes(), copy.bytes());
        assertEquals(WIRE, SplitInput.text(copy.bytes(), 0, copy.bytes().length));
    }

    @Test
    void copyCanBeCopied() {
        Http1RequestHead head =
                SplitInput.head(
                        SplitInput.request("Expect: 100-continue\r\nContent-Length: 5\r\n"));
        assertEquals(SplitInput.description(head), SplitInput.description(head.copy().copy()));
    }

    private static RequestTarget target(Http1RequestHead head) {
        var parsed =
                RequestTarget.parse(
                        head.method(), head.bytes(), head.targetFrom(), head.targetTo());
        return (RequestTarget) parsed;
    }
}
