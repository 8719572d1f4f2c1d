package dev.tandem.http;

import static dev.tandem.http.Preconditions.Outcome.FAILED;
import static dev.tandem.http.Preconditions.Outcome.NOT_MODIFIED;
import static dev.tandem.http.Preconditions.Outcome.PROCEED;
import static dev.tandem.http.Preconditions.Outcome.PROCEED_WITHOUT_RANGE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.Preconditions.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Conditional requests.
class Rfc9110Section13Test {
    private static final String SAME = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";
    private static final Validators STRONG = new Validators("\"a\"", HttpDate.parse(SAME));
    private static final Validators WEAK = new Validators("W/\"a\"", HttpDate.parse(SAME));

    @Test
    void requestWithoutConditionsProceeds() {
        assertEquals(PROCEED, Preconditions.evaluate("GET", Headers.EMPTY, STRONG));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"a\" | PROCEED",
                "* | PROCEED",
                "\"b\", \"a\" | PROCEED",
                "\"b\",\"a\" | PROCEED",
                "\"b,c\" , , \"a\" | PROCEED",
                "\"b\" | FAILED",
                "W/\"a\" | FAILED",
                "a | FAILED",
                "\"a | FAILED",
                "\"a\"x | PROCEED",
                "\"b\"\"a\" | FAILED",
                "~~ | FAILED",
                "*, \"b\" | FAILED"
            })
    void ifMatchComparesStrongly(String value, Outcome outcome) {
        assertEquals(outcome, evaluate("PUT", STRONG, "If-Match", value));
    }

    @Test
    void ifMatchWithWeakTagFails() {
        assertEquals(FAILED, evaluate("PUT", WEAK, "If-Match", "W/\"a\""));
        assertEquals(FAILED, evaluate("PUT", WEAK, "If-Match", "\"a\""));
    }

    @Test
    void ifMatchWithoutCurrentTagFails() {
        assertEquals(FAILED, evaluate("PUT", Validators.NONE, "If-Match", "\"a\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                SAME + " | PROCEED",
                AFTER + " | PROCEED",
                BEFORE + " | FAILED",
                "yesterday | PROCEED"
            })
    void ifUnmodifiedSinceComparesDates(String value, Outcome outcome) {
        assertEquals(outcome, evaluate("PUT", STRONG, "If-Unmodified-Since", value));
    }

    @Test
    void ifUnmodifiedSinceIsIgnoredWithIfMatch() {
        assertEquals(
                PROCEED,
                evaluate("PUT", STRONG, "If-Unmodified-Since", BEFORE, "If-Match", "\"a\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | \"a\" | NOT_MODIFIED",
                "HEAD | \"a\" | NOT_MODIFIED",
                "GET | W/\"a\" | NOT_MODIFIED",
                "GET | * | NOT_MODIFIED",
                "GET | \"b\", W/\"a\" | NOT_MODIFIED",
                "PUT | \"a\" | FAILED",
                "PUT | * | FAILED",
                "GET | \"b\" | PROCEED",
                "GET | \"A\" | PROCEED",
                "GET | a | PROCEED",
                "GET | w/\"a\" | PROCEED",
                "PUT | \"b\" | PROCEED"
            })
    void ifNoneMatchComparesWeakly(String method, String value, Outcome outcome) {
        assertEquals(outcome, evaluate(method, STRONG, "If-None-Match", value));
    }

    @Test
    void ifNoneMatchMatchesWeakTag() {
        assertEquals(NOT_MODIFIED, evaluate("GET", WEAK, "If-None-Match", "\"a\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | " + SAME + " | NOT_MODIFIED",
                "HEAD | " + AFTER + " | NOT_MODIFIED",
                "GET | " + BEFORE + " | PROCEED",
                "GET | Sunday, 06-Nov-94 08:49:37 GMT | NOT_MODIFIED",
                "GET | junk | PROCEED",
                "PUT | " + SAME + " | PROCEED"
            })
    void ifModifiedSinceComparesDates(String method, String value, Outcome outcome) {
        assertEquals(outcome, evaluate(method, STRONG, "If-Modified-Since", value));
    }

    @Test
    void ifModifiedSinceIsIgnoredWithIfNoneMatch() {
        assertEquals(
                PROCEED,
                evaluate("GET", STRONG, "If-Modified-Since", SAME, "If-None-Match", "\"b\""));
    }

    @Test
    void repeatedDateIsIgnored() {
        assertEquals(
                PROCEED,
                evaluate("GET", STRONG, "If-Modified-Since", SAME, "If-Modified-Since", SAME));
    }

    @Test
    void dateIsIgnoredWithoutModificationTime() {
        var undated = new Validators("\"a\"", -1);
        assertEquals(PROCEED, evaluate("GET", undated, "If-Modified-Since", AFTER));
        assertEquals(PROCEED, evaluate("PUT", undated, "If-Unmodified-Since", BEFORE));
    }

    @Test
    void ifMatchTakesPrecedence() {
        assertEquals(
                FAILED, evaluate("GET", STRONG, "If-None-Match", "\"a\"", "If-Match", "\"b\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\" | PROCEED",
                "\"b\" | PROCEED_WITHOUT_RANGE",
                "W/\"a\" | PROCEED_WITHOUT_RANGE",
                SAME + " | PROCEED",
                AFTER + " | PROCEED_WITHOUT_RANGE",
                BEFORE + " | PROCEED_WITHOUT_RANGE",
                "junk | PROCEED_WITHOUT_RANGE",
                "* | PROCEED_WITHOUT_RANGE"
            })
    void ifRangeComparesExactly(String value, Outcome outcome) {
        assertEquals(outcome, evaluate("GET", STRONG, "Range", "bytes=0-", "If-Range", value));
    }

    @Test
    void ifRangeWithWeakTagIsFalse() {
        assertEquals(
                PROCEED_WITHOUT_RANGE,
                evaluate("GET", WEAK, "Range", "bytes=0-", "If-Range", "W/\"a\""));
    }

    @Test
    void ifRangeWithoutRangeIsIgnored() {
        assertEquals(PROCEED, evaluate("GET", STRONG, "If-Range", "\"b\""));
    }

    @Test
    void ifRangeOfOtherMethodsIsIgnored() {
        assertEquals(PROCEED, evaluate("HEAD", STRONG, "Range", "bytes=0-", "If-Range", "\"b\""));
    }

    @Test
    void notModifiedTakesPrecedenceOverRange() {
        assertEquals(
                NOT_MODIFIED,
                evaluate("GET", STRONG, "Range", "bytes=0-", "If-None-Match", "\"a\""));
    }

    @Test
    void onlyIfMatchFailsForAbsentRepresentation() {
        assertEquals(FAILED, Preconditions.evaluateAbsent(Headers.of("If-Match", "*")));
        assertEquals(PROCEED, Preconditions.evaluateAbsent(Headers.of("If-None-Match", "*")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\"a",
                "a\"",
                "\"a\"b",
                "\"a b\"",
                "w/\"a\"",
                "\"a\"b\"",
                "W/",
                "*"
            })
    void invalidEntityTagThrows(String etag) {
        assertThrows(IllegalArgumentException.class, () -> new Validators(etag, 0));
    }

    private static Outcome evaluate(String method, Validators now, String... fields) {
        return Preconditions.evaluate(method, Headers.of(fields), now);
    }
}
