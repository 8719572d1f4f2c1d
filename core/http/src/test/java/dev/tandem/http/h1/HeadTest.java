package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.KnownField;
import dev.tandem.http.Target;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HeadTest {
    private static final String WIRE =
            "\r\nGET /a?b HTTP/1.1\r\nHost: a.example:80\r\naccept: x/y\r\nIf-Match: \"1\"\r\n"
                    + "If-Match: \"2\"\r\nCookie:\r\nX-Own: \u00e9\r\n\r\n";

    @Test
    void aFieldIsFoundInAnyCase() {
        assertEquals("x/y", Wire.head(WIRE).value(KnownField.ACCEPT));
    }

    @Test
    void theFirstOfSeveralIsTheValue() {
        assertEquals("\"1\"", Wire.head(WIRE).value(KnownField.IF_MATCH));
    }

    @Test
    void aFieldThatIsNotThereHasAnEmptyValue() {
        assertEquals("", Wire.head(WIRE).value(KnownField.RANGE));
    }

    @Test
    void aFieldWithAnEmptyValueIsThere() {
        assertTrue(Wire.head(WIRE).has(KnownField.COOKIE));
    }

    @Test
    void aFieldThatIsNotThereIsNot() {
        assertFalse(Wire.head(WIRE).has(KnownField.RANGE));
    }

    @Test
    void isComparesTheWholeValue() {
        Head head = Wire.head(WIRE);
        assertTrue(head.is(KnownField.HOST, "a.example:80"));
        assertFalse(head.is(KnownField.HOST, "a.example:8"));
        assertFalse(head.is(KnownField.HOST, "a.example:81"));
        assertFalse(head.is(KnownField.HOST, "a.example:800"));
    }

    @Test
    void isTellsTheFieldThatIsNotThereFromAnEmptyOne() {
        assertFalse(Wire.head(WIRE).is(KnownField.RANGE, ""));
        assertTrue(Wire.head(WIRE).is(KnownField.COOKIE, ""));
    }

    @Test
    void oneOfSeveralIsNotTheValue() {
        assertFalse(Wire.head(WIRE).is(KnownField.IF_MATCH, "\"1\""));
    }

    @Test
    void headersHaveNamesAndValuesAsSent() {
        assertEquals(
                "Host: a.example:80\naccept: x/y\nIf-Match: \"1\"\nIf-Match: \"2\"\n"
                        + "Cookie: \nX-Own: \u00e9\n",
                Wire.head(WIRE).headers().toString());
    }

    @Test
    void headersAreMadeOnce() {
        Head head = Wire.head(WIRE);
        assertSame(head.headers(), head.headers());
    }

    @Test
    void moreFieldsThanExpectedHaveRoom() {
        String many = "Accept: 1\r\n".repeat(30) + "Range: x\r\n" + "X: 2\r\n".repeat(60);
        assertEquals("x", Wire.head(Wire.request(many)).value(KnownField.RANGE));
    }

    @Test
    void theTargetIsWhatItWasSetTo() {
        Head head = Wire.head(WIRE);
        Target target = target(head);
        head.target(target);
        assertSame(target, head.target());
    }

    @Test
    void aTargetThatWasNotSetIsTheCallersBug() {
        assertThrows(IllegalStateException.class, () -> Wire.head(WIRE).target());
    }

    @Test
    void aCopySaysTheSame() {
        Head head = Wire.head(WIRE);
        head.target(target(head));
        assertEquals(Wire.description(head), Wire.description(head.copy()));
    }

    @Test
    void aCopyKeepsTheTarget() {
        Head head = Wire.head(WIRE);
        head.target(target(head));
        assertSame(head.target(), head.copy().target());
    }

    @Test
    void aCopyOutlivesTheBuffer() {
        var decoder = new HeadDecoder(H1Limits.DEFAULT);
        byte[] bytes = Wire.bytes("......" + WIRE + "GET /next");
        decoder.decode(bytes, 6, bytes.length);
        Head copy = decoder.head().copy();
        String before = Wire.description(decoder.head());
        Arrays.fill(bytes, (byte) 'x');
        decoder.reset();
        byte[] other = Wire.bytes(Wire.request("Content-Length: 7\r\nAccept: other\r\n"));
        decoder.decode(other, 0, other.length);
        assertEquals(before, Wire.description(copy));
        assertEquals("x/y", copy.value(KnownField.ACCEPT));
    }

    @Test
    void aCopyOwnsItsBytesOnly() {
        Head head = Wire.head(WIRE + "GET /next");
        Head copy = head.copy();
        assertNotSame(head.bytes(), copy.bytes());
        assertEquals(WIRE, Wire.text(copy.bytes(), 0, copy.bytes().length));
    }

    @Test
    void aCopyCanBeCopied() {
        Head head = Wire.head(Wire.request("Expect: 100-continue\r\nContent-Length: 5\r\n"));
        assertEquals(Wire.description(head), Wire.description(head.copy().copy()));
    }

    private static Target target(Head head) {
        var parsed = Target.parse(head.method(), head.bytes(), head.targetFrom(), head.targetTo());
        return (Target) parsed;
    }
}
