package dev.tandem.http;

import java.util.ArrayList;
import java.util.List;

/// A parsed route pattern.
///
/// @param segments the parts between slashes; a trailing slash adds an empty last one
record RoutePattern(List<Segment> segments) {

    /// Not distinguished by `switch`: it would be linked at each start
    /// (docs/decisions/0006-start-up.md).
    sealed interface Segment {

        record Literal(String text) implements Segment {}

        record Parameter(String name) implements Segment {}

        /// Only as the last segment.
        record Wildcard(String name) implements Segment {}
    }

    /// @throws IllegalArgumentException if the pattern violates the rules of [Router]; names the
    ///     rule
    static RoutePattern parse(String pattern) {
        if (!pattern.startsWith("/")) {
            throw wrong(pattern, "must begin with /");
        }
        var segments = new ArrayList<Segment>();
        var names = new ArrayList<String>();
        String[] texts = pattern.substring(1).split("/", -1);
        for (int i = 0; i < texts.length; i++) {
            boolean isLast = i == texts.length - 1;
            Segment segment = segment(pattern, texts[i]);
            if (segment instanceof Segment.Literal(String text)) {
                checkLiteral(pattern, text, isLast);
            } else if (segment instanceof Segment.Parameter(String name)) {
                addName(pattern, names, name);
            } else if (segment instanceof Segment.Wildcard(String name)) {
                if (!isLast) {
                    throw wrong(pattern, "has {" + name + "...} before its end");
                }
                addName(pattern, names, name);
            }
            segments.add(segment);
        }
        return new RoutePattern(segments);
    }

    /// Returns the names of the parameters, in order.
    List<String> parameters() {
        var names = new ArrayList<String>();
        for (Segment segment : segments) {
            if (segment instanceof Segment.Parameter(String name)) {
                names.add(name);
            } else if (segment instanceof Segment.Wildcard(String name)) {
                names.add(name);
            }
        }
        return names;
    }

    private static Segment segment(String pattern, String text) {
        if (!text.startsWith("{") || !text.endsWith("}")) {
            if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
                throw wrong(pattern, "has braces that are not around a whole segment");
            }
            return new Segment.Literal(text);
        }
        String inside = text.substring(1, text.length() - 1);
        return inside.endsWith("...")
                ? new Segment.Wildcard(inside.substring(0, inside.length() - 3))
                : new Segment.Parameter(inside);
    }

    /// Rejects literals that cannot occur in a decoded path, because such a route would silently
    /// never match.
    private static void checkLiteral(String pattern, String text, boolean isLast) {
        if (text.isEmpty() && !isLast) {
            throw wrong(pattern, "has an empty segment");
        }
        if (text.equals(".") || text.equals("..")) {
            throw wrong(pattern, "has a dot segment");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%' || c == '?' || c == '#' || c == '\\' || Character.isISOControl(c)) {
                throw wrong(
                        pattern,
                        "has one of % ? # \\ or a control character; patterns are decoded paths");
            }
        }
    }

    private static void addName(String pattern, List<String> names, String name) {
        boolean isName = !name.isEmpty();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            isName &=
                    FieldSyntax.isTokenChar(c)
                            && (Character.isLetterOrDigit(c) || c == '_' || c == '-');
        }
        if (!isName) {
            throw wrong(pattern, "has a parameter whose name is not letters, digits, _ and -");
        }
        if (names.contains(name)) {
            throw wrong(pattern, "has the parameter " + name + " twice");
        }
        names.add(name);
    }

    private static IllegalArgumentException wrong(String pattern, String what) {
        return new IllegalArgumentException("pattern " + FieldSyntax.quoted(pattern) + " " + what);
    }
}
