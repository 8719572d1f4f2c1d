package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseHeadersTest {
    private final ResponseHeaders fields = new ResponseHeaders();

    @Test
    void orderIsKept() {
        fields.add("B", "1");
        fields.add("A", "2");
        fields.set("C", "3");
        assertEquals("B: 1\nA: 2\nC: 3\n", written());
    }

    @Test
    void setReplacesAllOfThatName() {
        fields.add("X-A", "1");
        fields.add("X-B", "2");
        fields.add("x-a", "3");
        fields.add("X-A", "4");
        fields.set("x-A", "5");
        assertEquals("X-A: 5\nX-B: 2\n", written());
    }

    @Test
    void addKeepsThoseOfThatName() {
        fields.add("Set-Cookie", "a=b");
        fields.add("Set-Cookie", "c=d");
        assertEquals("Set-Cookie: a=b\nSet-Cookie: c=d\n", written());
    }

    @Test
    void firstIsFoundInAnyCase() {
        fields.add("X-A", "1");
        fields.add("X-A", "2");
        assertEquals("1", fields.first("x-a"));
        assertNull(fields.first("X-B"));
    }

    @Test
    void lengthIsKeptSeparately() {
        fields.set("content-length", "17");
        assertEquals(17, fields.contentLength());
        assertEquals("17", fields.first("Content-Length"));
        assertEquals("", written());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "", "x", "1 ", "99999999999999999999"})
    void invalidLengthIsRejected(String value) {
        assertThrows(
                IllegalArgumentException.class, () -> fields.set("Content-Length", value), value);
        assertEquals(-1, fields.contentLength());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection", "connection", "Date", "Keep-Alive", "Transfer-Encoding"})
    void headersOfTheServerAreRejected(String name) {
        var rejection =
                assertThrows(IllegalArgumentException.class, () -> fields.set(name, "close"));
        assertEquals(name + " is the server's to set", rejection.getMessage());
        assertThrows(IllegalArgumentException.class, () -> fields.add(name, "close"));
        assertTrue(fields.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'X-A'|'b\r\nc: d'",
                "'X-A'|'b\n'",
                "'X-A'|'b\0'",
                "'X-A'|'\u0100'",
                "'X A'|'b'",
                "'X-A:'|'b'",
                "''|'b'",
                "'X\u0100'|'b'",
                "'X-A'|'\u010a'"
            })
    void lineBreaksAreRejected(String name, String value) {
        assertThrows(IllegalArgumentException.class, () -> fields.set(name, value));
        assertThrows(IllegalArgumentException.class, () -> fields.add(name, value));
        assertTrue(fields.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type",
                "content-encoding",
                "Content-Range",
                "Content-Disposition",
                "ETag",
                "Last-Modified",
                "Accept-Ranges",
                "Cache-Control",
                "Expires",
                "Location"
            })
    void dropContentRemovesHeadersOfContent(String name) {
        fields.add(name, "1");
        fields.add("X-A", "2");
        fields.add(name, "3");
        fields.set("Content-Length", "3");
        fields.dropContent();
        assertEquals("X-A: 2\n", written());
        assertEquals(-1, fields.contentLength());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Security-Policy",
                "Strict-Transport-Security",
                "Access-Control-Allow-Origin",
                "Vary",
                "Set-Cookie",
                "Allow",
                "WWW-Authenticate",
                "Retry-After"
            })
    void dropContentKeepsOtherHeaders(String name) {
        fields.add(name, "1");
        fields.dropContent();
        assertEquals(name + ": 1\n", written());
    }

    private String written() {
        var lines = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            lines.append(fields.name(i)).append(": ").append(fields.value(i)).append('\n');
        }
        return lines.toString();
    }
}
