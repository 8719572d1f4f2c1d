package dev.tandem.http;

import java.nio.charset.StandardCharsets;

/// Formats and parses HTTP dates (RFC 9110, section 5.6.7) by plain arithmetic: the formatters of
/// `java.time` cost a tenth of a second at start-up and allocate for every date.
public final class HttpDate {

    /// The result of [#parse(String)] for text that is not a date.
    public static final long NONE = Long.MIN_VALUE;

    /// The length of a formatted date, in bytes.
    public static final int LENGTH = 29;

    private static final long YEAR_0 = -62_167_219_200L;
    private static final long YEAR_9999_END = 253_402_300_799L;
    private static final int DAY_SECONDS = 86_400;

    private static final byte[] FORM =
            "Day, 00 Mon 0000 00:00:00 GMT".getBytes(StandardCharsets.US_ASCII);
    static final String DAYS = "SunMonTueWedThuFriSat";
    static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private HttpDate() {}

    /// Returns a time as IMF-fixdate.
    ///
    /// @param epochSeconds seconds since 1970-01-01T00:00Z; a time outside the years 0000 to 9999,
    ///     which file systems may report, is clamped to that range
    public static String format(long epochSeconds) {
        var bytes = new byte[LENGTH];
        write(epochSeconds, bytes, 0);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Writes the result of [#format(long)] to the 29 bytes that begin at `at`.
    ///
    /// @throws IndexOutOfBoundsException if `to` is too short
    public static void write(long epochSeconds, byte[] to, int at) {
        long seconds = Math.clamp(epochSeconds, YEAR_0, YEAR_9999_END);
        long day = Math.floorDiv(seconds, DAY_SECONDS);
        int second = Math.floorMod(seconds, DAY_SECONDS);
        System.arraycopy(FORM, 0, to, at, LENGTH);
        // 1970-01-01 was a Thursday, the fifth day name.
        name(DAYS, Math.floorMod(day + 4, 7), to, at);
        writeDay(day, to, at + 5);
        digits(second / 3600, to, at + 17);
        digits(second / 60 % 60, to, at + 20);
        digits(second % 60, to, at + 23);
    }

    /// Parses a date in any of HTTP's three formats and returns it in seconds since
    /// 1970-01-01T00:00Z, or [#NONE]. The day name must be valid, but need not match the date.
    /// Never throws an exception.
    public static long parse(String text) {
        return DateParser.parse(text);
    }

    /// Returns the number of days since 1970-01-01 in the Gregorian calendar.
    ///
    /// @param month 1 to 12
    static long dayNumber(int year, int month, int day) {
        // Years that begin in March have the leap day at their end, where it does not affect sums.
        long y = month > 2 ? year : year - 1L;
        int monthsSinceMarch = (month + 9) % 12;
        long leapDays = Math.floorDiv(y, 4) - Math.floorDiv(y, 100) + Math.floorDiv(y, 400);
        int dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1;
        return y * 365 + leapDays + dayOfYear - 719_468;
    }

    /// Writes `06 Nov 1994`, the inverse of [#dayNumber(int, int, int)], in cycles of 400 years,
    /// each of which has 146,097 days.
    private static void writeDay(long dayNumber, byte[] to, int at) {
        long shifted = dayNumber + 719_468;
        long cycle = Math.floorDiv(shifted, 146_097);
        int dayOfCycle = Math.floorMod(shifted, 146_097);
        int yearOfCycle =
                (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096)
                        / 365;
        int dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100);
        int monthsSinceMarch = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1;
        int month = (monthsSinceMarch + 2) % 12;
        int year = (int) (cycle * 400) + yearOfCycle + (month < 2 ? 1 : 0);
        digits(day, to, at);
        name(MONTHS, month, to, at + 3);
        digits(year / 100, to, at + 7);
        digits(year % 100, to, at + 9);
    }

    private static void name(String names, int index, byte[] to, int at) {
        for (int i = 0; i < 3; i++) {
            to[at + i] = (byte) names.charAt(3 * index + i);
        }
    }

    private static void digits(int number, byte[] to, int at) {
        to[at] = (byte) ('0' + number / 10);
        to[at + 1] = (byte) ('0' + number % 10);
    }
}
