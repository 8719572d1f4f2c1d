package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Content negotiation.
class Rfc9110Section12_5Test {
    private static final List<String> OFFERED =
            List.of("text/html; charset=utf-8", "application/json", "text/plain");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "*/* | text/html; charset=utf-8",
                "application/json | application/json",
                "APPLICATION/JSON | application/json",
                "text/* | text/html; charset=utf-8",
                "text/plain, text/* | text/html; charset=utf-8",
                "text/plain, text/*;q=0.9 | text/plain",
                "text/html;q=0.5, application/json;q=0.6 | application/json",
                "text/html;q=0, */* | application/json",
                "*/*, text/html;q=0 | application/json",
                "text/html ; q=0.1 , text/plain ; Q=0.2 | text/plain",
                "text/html;q=0.500;x=y, text/plain;q=0.4 | text/html; charset=utf-8",
                "text/html;charset=utf-8, */*;q=0.1 | text/html; charset=utf-8",
                "text/html;level=1, text/plain;q=0.2 | text/plain",
                "text/html;x=\"a,b;q=0\", text/plain;q=0.3 | text/plain",
                "text/html;q=2, text/plain | text/plain",
                "text/html;q=0.1234, text/plain | text/plain",
                "text/html;q=x, text/plain | text/plain",
                "text/html;q=x, text/*;q=0.1 | text/html; charset=utf-8",
                "text/html;x=\"a\\\",b;q=0\", text/plain;q=0.3 | text/plain",
                ",, ,text/plain, | text/plain",
                "junk, text/plain;q=0.1 | text/plain",
                "~~ | text/html; charset=utf-8"
            })
    void weightThenOrderDecides(String header, String type) {
        assertEquals(type, Accept.bestMediaType(header, OFFERED));
    }

    @Test
    void absentHeaderSelectsFirstType() {
        assertEquals(OFFERED.getFirst(), Accept.bestMediaType(null, OFFERED));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "image/png",
                "*/*;q=0",
                "text/*;q=0.000, application/*;q=0",
                "html",
                "te*/*",
                "t/*"
            })
    void unacceptedTypesAreNotSelected(String header) {
        assertNull(Accept.bestMediaType(header, OFFERED));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "gzip | gzip | true",
                "GZIP | gzip | true",
                "x-gzip | gzip | true",
                "x-gzip | br | false",
                "gzip, deflate, br, zstd | br | true",
                "gzip, deflate,zstd;q=0.2 | zstd | true",
                "gzip;q=0 | gzip | false",
                "gzip; q=0.0 | gzip | false",
                "gzip;q=0.001 | gzip | true",
                "gzip;q=1.001 | gzip | false",
                "gzip;q=-1 | gzip | false",
                "gzip;q=0.5x | gzip | false",
                "gzip;q=0.1234 | gzip | false",
                "gzipx | gzip | false",
                "xgzip | gzip | false",
                "gzi | gzip | false",
                "* | gzip | true",
                "*;q=0 | gzip | false",
                "*;q=0, gzip | gzip | true",
                "gzip;q=0, * | gzip | false",
                "*;q=0 | identity | false",
                "identity;q=0 | identity | false",
                "*;q=0, identity;q=0.5 | identity | true",
                "gzip | identity | true",
                "* | identity | true",
                "~~ | identity | true",
                "~~ | gzip | false",
                ",, | gzip | false"
            })
    void codingsAreAcceptedByWeight(String header, String coding, boolean expected) {
        assertEquals(expected, Accept.isCodingAccepted(header, coding));
    }

    @Test
    void absentHeaderAcceptsOnlyIdentity() {
        assertEquals(0, Accept.codingWeight(null, "gzip"));
        assertTrue(Accept.isCodingAccepted(null, "identity"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip;q=0.8, br;q=1.0 | br | 1000",
                "gzip;q=0.8, br | gzip | 800",
                "gzip;q=0.125 | gzip | 125",
                "*;q=0.3 | br | 300",
                "gzip | identity | 1",
                "gzip;q=0.5, x-gzip;q=0.7 | gzip | 700"
            })
    void codingsHaveWeights(String header, String coding, int weight) {
        assertEquals(weight, Accept.codingWeight(header, coding));
    }
}
