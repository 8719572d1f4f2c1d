package dev.tandem.http.h2;

import dev.tandem.http.FieldSyntax;

/// Parses a dictionary of structured fields (RFC 9651, section 4.2.2) for the members of a
/// priority. Other members are checked for their syntax and skipped.
final class PriorityParser {
    /// RFC 9651, sections 3.3.1 and 3.3.2: the digits of an integer, and of a decimal's parts.
    private static final int DIGITS_MAX = 15;

    private static final int WHOLE_DIGITS_MAX = 12;
    private static final int FRACTION_DIGITS_MAX = 3;

    /// Types of an item.
    private enum Type {
        MALFORMED,
        INTEGER,
        BOOLEAN,
        OTHER
    }

    private final String text;
    private int at;

    /// The value of the last integer, or 1 for true.
    private long number;

    private int urgency = Priority.DEFAULT.urgency();
    private boolean isIncremental;

    PriorityParser(String text) {
        this.text = text;
    }

    Priority parse() {
        skip(' ', ' ');
        boolean isValid = at == text.length() || dictionary();
        return isValid ? Priority.of(urgency, isIncremental) : Priority.DEFAULT;
    }

    private boolean dictionary() {
        while (member()) {
            skip(' ', '\t');
            if (at == text.length()) {
                return true;
            }
            if (!next(',')) {
                return false;
            }
            skip(' ', '\t');
        }
        // A comma at the end is malformed, and so is what is no member.
        return false;
    }

    private boolean member() {
        int from = at;
        if (!key()) {
            return false;
        }
        int length = at - from;
        char key = text.charAt(from);
        Type type = Type.BOOLEAN;
        number = 1;
        if (next('=')) {
            type = peek() == '(' ? innerList() : item();
        }
        if (type == Type.MALFORMED) {
            return false;
        }
        long value = number;
        if (!parameters()) {
            return false;
        }
        if (length == 1 && key == 'u') {
            // A later member of the same name replaces an earlier one, also by the default.
            boolean isUrgency = type == Type.INTEGER && value >= 0 && value <= Priority.URGENCY_MAX;
            urgency = isUrgency ? (int) value : Priority.DEFAULT.urgency();
        } else if (length == 1 && key == 'i') {
            isIncremental = type == Type.BOOLEAN && value == 1;
        }
        return true;
    }

    private boolean key() {
        char first = peek();
        if (!isLower(first) && first != '*') {
            return false;
        }
        while (isKey(peek())) {
            at++;
        }
        return true;
    }

    private Type innerList() {
        at++;
        while (true) {
            skip(' ', ' ');
            if (next(')')) {
                return Type.OTHER;
            }
            if (item() == Type.MALFORMED || !parameters() || peek() != ' ' && peek() != ')') {
                return Type.MALFORMED;
            }
        }
    }

    private boolean parameters() {
        while (next(';')) {
            skip(' ', ' ');
            if (!key() || next('=') && item() == Type.MALFORMED) {
                return false;
            }
        }
        return true;
    }

    /// A bare item (RFC 9651, section 4.2.3.1).
    private Type item() {
        char first = peek();
        if (first == '-' || isDigit(first)) {
            return number();
        }
        return switch (first) {
            case '"' -> string();
            case ':' -> bytes();
            case '?' -> bool();
            case '@' -> {
                at++;
                yield number() == Type.INTEGER ? Type.OTHER : Type.MALFORMED;
            }
            case '%' -> displayString();
            default -> isLetter(first) || first == '*' ? token() : Type.MALFORMED;
        };
    }

    private Type number() {
        boolean isNegative = next('-');
        int from = at;
        number = 0;
        while (isDigit(peek()) && at - from <= DIGITS_MAX) {
            number = 10 * number + text.charAt(at) - '0';
            at++;
        }
        int digits = at - from;
        if (digits == 0 || digits > DIGITS_MAX) {
            return Type.MALFORMED;
        }
        if (next('.')) {
            from = at;
            while (isDigit(peek())) {
                at++;
            }
            boolean isDecimal =
                    digits <= WHOLE_DIGITS_MAX && at > from && at - from <= FRACTION_DIGITS_MAX;
            return isDecimal ? Type.OTHER : Type.MALFORMED;
        }
        number = isNegative ? -number : number;
        return Type.INTEGER;
    }

    private Type bool() {
        at++;
        char value = peek();
        if (value != '0' && value != '1') {
            return Type.MALFORMED;
        }
        at++;
        number = value - '0';
        return Type.BOOLEAN;
    }

    private Type string() {
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return Type.OTHER;
            }
            if (c == '\\') {
                char escaped = peek();
                if (escaped != '"' && escaped != '\\') {
                    return Type.MALFORMED;
                }
                at++;
            } else if (c < ' ' || c > '~') {
                return Type.MALFORMED;
            }
        }
        return Type.MALFORMED;
    }

    private Type displayString() {
        at++;
        if (!next('"')) {
            return Type.MALFORMED;
        }
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return Type.OTHER;
            }
            boolean isPercent = c == '%';
            if (c < ' ' || c > '~' || isPercent && !(isLowerHex(0) && isLowerHex(1))) {
                return Type.MALFORMED;
            }
            at += isPercent ? 2 : 0;
        }
        return Type.MALFORMED;
    }

    private boolean isLowerHex(int offset) {
        int i = at + offset;
        return i < text.length()
                && (isDigit(text.charAt(i)) || text.charAt(i) >= 'a' && text.charAt(i) <= 'f');
    }

    private Type bytes() {
        at++;
        while (isBase64(peek())) {
            at++;
        }
        return next(':') ? Type.OTHER : Type.MALFORMED;
    }

    private Type token() {
        while (isTokenChar(peek())) {
            at++;
        }
        return Type.OTHER;
    }

    /// Returns the next character, or NUL at the end.
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean next(char c) {
        boolean isNext = peek() == c;
        at += isNext ? 1 : 0;
        return isNext;
    }

    private void skip(char blank, char other) {
        while (peek() == blank || peek() == other) {
            at++;
        }
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || c >= 'A' && c <= 'Z';
    }

    private static boolean isKey(char c) {
        return isLower(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '*';
    }

    private static boolean isBase64(char c) {
        return isLetter(c) || isDigit(c) || c == '+' || c == '/' || c == '=';
    }

    private static boolean isTokenChar(char c) {
        return FieldSyntax.isTokenChar(c) || c == ':' || c == '/';
    }
}
