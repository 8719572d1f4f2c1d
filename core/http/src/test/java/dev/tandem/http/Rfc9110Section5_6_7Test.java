package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Dates.
class Rfc9110Section5_6_7Test {
    private static final long EXAMPLE = Instant.parse("1994-11-06T08:49:37Z").getEpochSecond();
    private static final DateTimeFormatter ORACLE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994"
            })
    void allThreeFormatsAreParsed(String text) {
        assertEquals(EXAMPLE, HttpDate.parse(text));
    }

    @Test
    void datesAreFormattedAsImfFixdate() {
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Tue, 29 Feb 2000 23:59:59 GMT | 2000-02-29T23:59:59Z",
                "Thu, 01 Jan 1970 00:00:00 GMT | 1970-01-01T00:00:00Z",
                "Wed, 31 Dec 1969 23:59:59 GMT | 1969-12-31T23:59:59Z",
                "Fri, 31 Dec 9999 23:59:59 GMT | 9999-12-31T23:59:59Z",
                "Sat, 01 Jan 0000 00:00:00 GMT | 0000-01-01T00:00:00Z",
                "Sun, 30 Jun 2024 23:59:60 GMT | 2024-07-01T00:00:00Z",
                "Sun, 17 Nov 2026 00:00:00 GMT | 2026-11-17T00:00:00Z",
                "Tue Nov 16 08:49:37 1994 | 1994-11-16T08:49:37Z",
                "Wednesday, 17-Nov-76 08:49:37 GMT | 2076-11-17T08:49:37Z",
                "Wednesday, 17-Nov-77 08:49:37 GMT | 1977-11-17T08:49:37Z"
            })
    void validDatesAreParsed(String text, String instant) {
        assertEquals(Instant.parse(instant).getEpochSecond(), HttpDate.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "   ,",
                "Sun",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37 GMT ",
                " Sun, 06 Nov 1994 08:49:37 GMT",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 nov 1994 08:49:37 GMT",
                "Son, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:00:00 GMT",
                "Sun, 06 Nov 1994 08:60:00 GMT",
                "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 06 Nov 1994 08.49.37 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT",
                "Thu, 31 Nov 1994 08:49:37 GMT",
                "Tue, 29 Feb 1900 08:49:37 GMT",
                "Sun, 06 Nov -994 08:49:37 GMT",
                "Sun, +6 Nov 1994 08:49:37 GMT",
                "Sun,  6 Nov 1994 08:49:37 GMT",
                "Sun, 06-Nov-1994 08:49:37 GMT",
                "Sunday, 06 Nov 94 08:49:37 GMT",
                "Sunday, 06-Nov-9x 08:49:37 GMT",
                "Someday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov 6 08:49:37 1994",
                "Sun Nov  6 08:49:37 199x",
                "Sun Nov    08:49:37 1994",
                "Sun, \u0660\u0666 Nov 1994 08:49:37 GMT",
                "0",
                "784111777"
            })
    void invalidDatesAreNotParsed(String text) {
        assertEquals(HttpDate.NONE, HttpDate.parse(text));
    }

    @Test
    void formatEqualsCalendarOnEachDayOfFourCenturies() {
        long first = Instant.parse("1800-01-01T12:34:56Z").getEpochSecond();
        for (long day = 0; day < 146_097; day += 3) {
            assertAgrees(first + day * 86_400);
        }
    }

    @Test
    void formatEqualsCalendarForDistantTimes() {
        var random = new Random(20_261_121);
        for (int i = 0; i < 5_000; i++) {
            assertAgrees(random.nextLong(-62_167_219_200L, 253_402_300_800L));
        }
    }

    @Test
    void timesOutsideFourDigitYearsAreClamped() {
        assertEquals("Fri, 31 Dec 9999 23:59:59 GMT", HttpDate.format(Long.MAX_VALUE));
        assertEquals("Sat, 01 Jan 0000 00:00:00 GMT", HttpDate.format(Long.MIN_VALUE));
    }

    @Test
    void writeChangesNoOtherBytes() {
        var bytes = ("<" + ".".repeat(HttpDate.LENGTH) + ">").getBytes(StandardCharsets.US_ASCII);
        HttpDate.write(EXAMPLE, bytes, 1);
        assertEquals(
                "<Sun, 06 Nov 1994 08:49:37 GMT>", new String(bytes, StandardCharsets.US_ASCII));
    }

    @Test
    void writeToShortArrayThrows() {
        assertThrows(
                IndexOutOfBoundsException.class, () -> HttpDate.write(EXAMPLE, new byte[30], 2));
    }

    private static void assertAgrees(long seconds) {
        String written = HttpDate.format(seconds);
        var time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        assertEquals(ORACLE.format(time), written);
        assertEquals(seconds, HttpDate.parse(written));
    }
}
