package dev.tandem.http;

/// Parses the three date formats of RFC 9110, section 5.6.7:
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
/// Sunday, 06-Nov-94 08:49:37 GMT   the form of RFC 850
/// Sun Nov  6 08:49:37 1994         the form of asctime
/// ```
///
/// The position of the comma distinguishes them: index 3, a later index, or none.
final class DateParser {

    /// A two-digit year is at most 50 years after this one. The RFC counts from the current year,
    /// but this module has no clock, and clients that still send such dates are not expected to
    /// need more.
    private static final int REFERENCE_YEAR = 2026;

    private static final String[] LONG_DAYS = {
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"
    };

    private DateParser() {}

    static long parse(String text) {
        int comma = text.indexOf(',');
        if (comma == 3) {
            return imfFixdate(text);
        }
        return comma < 0 ? asctime(text) : rfc850(text, comma);
    }

    private static long imfFixdate(String text) {
        if (text.length() != HttpDate.LENGTH
                || !isDayName(text)
                || !matchesAt(text, ", ", 3)
                || !matchesAt(text, " ", 7)
                || !matchesAt(text, " ", 11)
                || !matchesAt(text, " ", 16)
                || !matchesAt(text, " GMT", 25)) {
            return HttpDate.NONE;
        }
        return seconds(year(text, 12), month(text, 8), number(text, 5), time(text, 17));
    }

    private static long rfc850(String text, int comma) {
        if (text.length() != comma + 24
                || !isLongDayName(text, comma)
                || !matchesAt(text, ", ", comma)
                || !matchesAt(text, "-", comma + 4)
                || !matchesAt(text, "-", comma + 8)
                || !matchesAt(text, " ", comma + 11)
                || !matchesAt(text, " GMT", comma + 20)) {
            return HttpDate.NONE;
        }
        int shortYear = number(text, comma + 9);
        if (shortYear < 0) {
            return HttpDate.NONE;
        }
        int year = shortYear + (2000 + shortYear > REFERENCE_YEAR + 50 ? 1900 : 2000);
        return seconds(
                year, month(text, comma + 5), number(text, comma + 2), time(text, comma + 12));
    }

    private static long asctime(String text) {
        if (text.length() != 24
                || !isDayName(text)
                || !matchesAt(text, " ", 3)
                || !matchesAt(text, " ", 7)
                || !matchesAt(text, " ", 10)
                || !matchesAt(text, " ", 19)) {
            return HttpDate.NONE;
        }
        int day = text.charAt(8) == ' ' ? digit(text, 9) : number(text, 8);
        return seconds(year(text, 20), month(text, 4), day, time(text, 11));
    }

    /// A part that the text lacks is negative.
    private static long seconds(int year, int month, int day, int secondOfDay) {
        if (year < 0 || month < 1 || day < 1 || day > length(year, month) || secondOfDay < 0) {
            return HttpDate.NONE;
        }
        return HttpDate.dayNumber(year, month, day) * 86_400L + secondOfDay;
    }

    /// Returns `08:49:37` in seconds; a leap second (`:60`) is the first second of the next minute.
    private static int time(String text, int at) {
        int hour = number(text, at);
        int minute = number(text, at + 3);
        int second = number(text, at + 6);
        boolean isTime =
                hour >= 0
                        && hour < 24
                        && minute >= 0
                        && minute < 60
                        && second >= 0
                        && second <= 60
                        && matchesAt(text, ":", at + 2)
                        && matchesAt(text, ":", at + 5);
        return isTime ? hour * 3600 + minute * 60 + second : -1;
    }

    private static int length(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    private static int year(String text, int at) {
        int century = number(text, at);
        int rest = number(text, at + 2);
        return century < 0 || rest < 0 ? -1 : century * 100 + rest;
    }

    /// Returns 1 to 12, or 0 if the text has no month name.
    private static int month(String text, int at) {
        for (int i = 0; i < 12; i++) {
            if (text.regionMatches(at, HttpDate.MONTHS, 3 * i, 3)) {
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean isDayName(String text) {
        for (int i = 0; i < 7; i++) {
            if (text.regionMatches(0, HttpDate.DAYS, 3 * i, 3)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLongDayName(String text, int length) {
        for (String name : LONG_DAYS) {
            if (name.length() == length && text.startsWith(name)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the value of two digits, or -1.
    private static int number(String text, int at) {
        int tens = digit(text, at);
        int ones = digit(text, at + 1);
        return tens < 0 || ones < 0 ? -1 : tens * 10 + ones;
    }

    private static int digit(String text, int at) {
        int value = text.charAt(at) - '0';
        return value >= 0 && value <= 9 ? value : -1;
    }

    private static boolean matchesAt(String text, String part, int at) {
        return text.startsWith(part, at);
    }
}
