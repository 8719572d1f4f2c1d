package dev.tandem.http;

/// Parses the weights of list elements (RFC 9110, section 12.4.2), in thousandths.
final class QValue {
    private QValue() {}

    /// Returns the weight of the element `list[from..end)`: 1,000 if it has none, -1 if it is
    /// malformed.
    static int of(String list, int from, int end) {
        int at = list.indexOf(';', from, end);
        while (at >= 0) {
            int name = skipBlanks(list, at + 1, end);
            if (list.regionMatches(true, name, "q=", 0, 2)) {
                return thousandths(list, name + 2, end);
            }
            at = list.indexOf(';', at + 1, end);
        }
        return 1_000;
    }

    /// Parses `0`, `0.5`, `1.000`: at most three decimals, at most 1.
    private static int thousandths(String list, int from, int end) {
        if (from >= end || list.charAt(from) != '0' && list.charAt(from) != '1') {
            return -1;
        }
        int value = (list.charAt(from) - '0') * 1_000;
        int i = from + 1;
        if (i < end && list.charAt(i) == '.') {
            i++;
            for (int place = 100;
                    place > 0 && i < end && isDigit(list.charAt(i));
                    place /= 10, i++) {
                value += (list.charAt(i) - '0') * place;
            }
        }
        boolean isEnd =
                skipBlanks(list, i, end) == end || list.charAt(skipBlanks(list, i, end)) == ';';
        return isEnd && value <= 1_000 ? value : -1;
    }

    private static int skipBlanks(String list, int from, int end) {
        int i = from;
        while (i < end && (list.charAt(i) == ' ' || list.charAt(i) == '\t')) {
            i++;
        }
        return i;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
