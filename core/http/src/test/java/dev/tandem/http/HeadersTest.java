package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
    private static final Headers SOME =
            Headers.of("Host", "a", "Via", "one", "X-Empty", "", "via", "two, three");

    @Test
    void firstIgnoresCase() {
        assertEquals("one", SOME.first("VIA"));
    }

    @Test
    void firstOfAbsentNameIsNull() {
        assertNull(SOME.first("Vi"));
    }

    @Test
    void emptyValueDiffersFromAbsentOne() {
        assertEquals("", SOME.first("x-empty"));
        assertTrue(SOME.contains("x-empty"));
        assertFalse(SOME.contains("x-empt"));
    }

    @Test
    void repeatedFieldsKeepTheirOrder() {
        assertEquals(List.of("one", "two, three"), SOME.all("Via"));
        assertEquals("one, two, three", SOME.joined("Via"));
    }

    @Test
    void joinedOfAbsentNameIsEmpty() {
        assertEquals("", SOME.joined("Range"));
        assertEquals(List.of(), SOME.all("Range"));
    }

    @Test
    void joinedOfSingleValueIsNotCopied() {
        assertSame(SOME.first("host"), SOME.joined("host"));
    }

    @Test
    void namesKeepTheirCase() {
        assertEquals(4, SOME.size());
        assertEquals("via", SOME.name(3));
        assertEquals("two, three", SOME.value(3));
    }

    @Test
    void unusedArrayElementsAreInvisible() {
        var headers = Headers.of(new String[] {"A", "B"}, new String[] {"1", "2"}, 1);
        assertFalse(headers.contains("B"));
        assertThrows(IndexOutOfBoundsException.class, () -> headers.name(1));
        assertThrows(IndexOutOfBoundsException.class, () -> headers.value(1));
    }

    @Test
    void countBeyondArraysThrows() {
        assertThrows(
                IndexOutOfBoundsException.class, () -> Headers.of(new String[1], new String[2], 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "close | close | true",
                "Close | close | true",
                "keep-alive, CLOSE | close | true",
                "'\tclose ,x' | close | true",
                "', ,close' | close | true",
                "closed | close | false",
                "not-close | close | false",
                "a close | close | false",
                "'' | close | false",
                "',' | '' | true"
            })
    void tokenInListIsFound(String value, String token, boolean expected) {
        assertEquals(expected, Headers.of("Connection", value).hasToken("connection", token));
    }

    @Test
    void tokenInRepeatedFieldIsFound() {
        assertTrue(SOME.hasToken("Via", "three"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " A", "A ", "A:", "Ä", "A\nB", "(A)", "A/B", "A\u0000"})
    void nameThatIsNotATokenThrows(String name) {
        assertThrows(IllegalArgumentException.class, () -> Headers.of(name, "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\u0000b", "\u007f", "\u20ac"})
    void valueWithLineBreakThrows(String value) {
        assertThrows(IllegalArgumentException.class, () -> Headers.of("A", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\tb", "\u00fc", "~!\"#"})
    void otherValuesAreAccepted(String value) {
        assertEquals(value, Headers.of("A", value).first("A"));
    }

    @Test
    void nameWithoutValueThrows() {
        assertThrows(IllegalArgumentException.class, () -> Headers.of("A", "1", "B"));
    }
}
