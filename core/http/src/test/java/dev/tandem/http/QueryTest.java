package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '~',
            emptyValue = "",
            value = {
                "a=b b",
                "a=b+c ~b c~",
                "a=b%2Bc b+c",
                "a=b%20c ~b c~",
                "a=b=c b=c",
                "a=b%26c b&c",
                "a=% %",
                "a=%4 %4",
                "a=%zz %zz",
                "a=%%41 %A",
                "a=%c3%bc ü",
                "a=ü ü",
                "a=%ff \uFFFD",
                "a=%c0%af \uFFFD\uFFFD",
                "%61=b b",
                "b=1&a=2&a=3 2",
                "&&a=b&& b",
                "a=b;c b;c",
                "a=1?2 1?2"
            })
    void firstValueIsDecoded(String raw, String value) {
        assertEquals(value, Query.parse(raw).first("a"));
    }

    @Test
    void nameWithoutValueHasEmptyValue() {
        assertEquals("", Query.parse("a").first("a"));
        assertEquals("", Query.parse("a=").first("a"));
    }

    @Test
    void emptyNameIsAccepted() {
        assertEquals("b", Query.parse("=b").first(""));
    }

    @Test
    void parametersKeepTheirOrder() {
        var query = Query.parse("b=1&a=2&b=3&c");
        assertEquals(List.of("b", "a", "c"), query.names());
        assertEquals(List.of("1", "3"), query.all("b"));
        assertEquals(4, query.size());
    }

    @Test
    void absentNameHasNoValue() {
        assertNull(Query.parse("a=1").first("A"));
        assertEquals(List.of(), Query.parse("a=1").all("b"));
    }

    @Test
    void absentQueryIsEmpty() {
        assertSame(Query.EMPTY, Query.parse(null));
        assertSame(Query.EMPTY, Query.parse(""));
    }

    @Test
    void parametersUpToLimitAreAccepted() {
        assertEquals(1_000, Query.parse("a&".repeat(1_000)).size());
    }

    @Test
    void parametersBeyondLimitAreRejected() {
        var error = assertThrows(HttpException.class, () -> Query.parse("a&".repeat(1_000) + "b"));
        assertEquals(400, error.status());
    }
}
