package dev.tandem.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads JSON (RFC 8259): maps, lists, strings, Double, Boolean and null. The inverse of [Json].
final class JsonReader {
    /// Maximum nesting of lists and maps; our files have eight levels.
    private static final int DEPTH_MAX = 64;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /// @throws IllegalArgumentException if it is not JSON; names the line
    static @Nullable Object read(String text) {
        var reader = new JsonReader(text);
        Object value = reader.value(0);
        if (reader.peek() != 0) {
            throw reader.wrong("something behind the end");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        if (depth > DEPTH_MAX) {
            throw wrong("more than " + DEPTH_MAX + " levels");
        }
        return switch (peek()) {
            case '{' -> map(depth);
            case '[' -> list(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> map(int depth) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        need('{');
        if (peek() != '}') {
            do {
                String name = string();
                need(':');
                map.put(name, value(depth + 1));
            } while (has(','));
        }
        need('}');
        return map;
    }

    private List<@Nullable Object> list(int depth) {
        var list = new ArrayList<@Nullable Object>();
        need('[');
        if (peek() != ']') {
            do {
                list.add(value(depth + 1));
            } while (has(','));
        }
        need(']');
        return list;
    }

    private String string() {
        need('"');
        var string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw wrong("a control character in text");
            }
            string.append(c == '\\' ? escaped() : c);
        }
        if (at++ >= text.length()) {
            throw wrong("text without an end");
        }
        return string.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()
                        || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
                    throw wrong("\\u without four digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw wrong("a bad escape");
        };
    }

    private @Nullable Boolean word(String word, @Nullable Boolean value) {
        if (!text.startsWith(word, at)) {
            throw wrong("no value");
        }
        at += word.length();
        return value;
    }

    private Double number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(begin, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw wrong("no value");
        }
        return Double.valueOf(number);
    }

    /// Returns the next character that is not white space; 0 at the end.
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean has(char c) {
        boolean isThere = peek() == c;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void need(char c) {
        if (!has(c)) {
            throw wrong("no '" + c + "'");
        }
    }

    private IllegalArgumentException wrong(String what) {
        long line = 1 + text.chars().limit(at).filter(c -> c == '\n').count();
        return new IllegalArgumentException("no JSON: " + what + " in line " + line);
    }
}
