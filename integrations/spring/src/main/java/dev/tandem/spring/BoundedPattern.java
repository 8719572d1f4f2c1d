package dev.tandem.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/// A pattern with regular expressions, such as `/{name}-{version}.{type}` or `/{id:[0-9]+}`,
/// matched within a limited number of steps. Spring has no such limit, and the time of an
/// expression may grow with a power of the length of what a client sends: on a worker that is
/// Spring's own affair, but an event loop must not wait for it.
///
/// Spring matches an outline of the pattern, in which each segment that is an expression is a
/// variable. The values are matched here, by the expressions that Spring makes of the segments.
final class BoundedPattern {
    private final PathPattern outline;
    private final List<Pattern> expressions;

    private BoundedPattern(PathPattern outline, List<Pattern> expressions) {
        this.outline = outline;
        this.expressions = expressions;
    }

    /// Returns the bounded form of a pattern; null if no segment is an expression.
    static @Nullable BoundedPattern of(PathPattern pattern, PathPatternParser parser) {
        var outline = new ArrayList<String>();
        var expressions = new ArrayList<Pattern>();
        for (String segment : segments(pattern.getPatternString())) {
            if (isExpression(segment)) {
                outline.add("{" + variable(expressions.size()) + "}");
                expressions.add(expression(segment, parser.isCaseSensitive()));
            } else {
                outline.add(segment);
            }
        }
        return expressions.isEmpty()
                ? null
                : new BoundedPattern(
                        parser.parse(String.join("/", outline)), List.copyOf(expressions));
    }

    /// Splits a pattern at its slashes; those of an expression, which are escaped, are part of it.
    private static List<String> segments(String pattern) {
        var segments = new ArrayList<String>();
        int from = 0;
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == '/') {
                segments.add(pattern.substring(from, at));
                from = at + 1;
            }
            at = c == '{' ? variableEnd(pattern, at) : at + 1;
        }
        segments.add(pattern.substring(from));
        return segments;
    }

    private static String variable(int index) {
        return "$" + index;
    }

    /// Whether it is neither text nor one variable or wildcard. A question mark costs nothing.
    private static boolean isExpression(String segment) {
        if (segment.equals("*") || segment.equals("**")) {
            return false;
        }
        boolean isVariable =
                segment.startsWith("{")
                        && variableEnd(segment, 0) == segment.length()
                        && segment.indexOf(':') < 0;
        return !isVariable && (segment.indexOf('{') >= 0 || segment.indexOf('*') >= 0);
    }

    /// Returns where a variable ends, whose expression may contain braces.
    private static int variableEnd(String text, int from) {
        int depth = 0;
        for (int at = from; at < text.length(); at++) {
            switch (text.charAt(at)) {
                case '\\' -> at++;
                case '{' -> depth++;
                case '}' -> depth--;
                default -> {}
            }
            if (depth == 0) {
                return at + 1;
            }
        }
        return text.length();
    }

    private static Pattern expression(String segment, boolean isCaseSensitive) {
        var made = new StringBuilder();
        for (int at = 0; at < segment.length(); ) {
            int end = segment.charAt(at) == '{' ? variableEnd(segment, at) : at + 1;
            String part = segment.substring(at, end);
            int colon = part.indexOf(':');
            if (part.equals("?")) {
                made.append('.');
            } else if (part.equals("*")) {
                made.append(".*");
            } else if (!part.startsWith("{")) {
                made.append(Pattern.quote(part));
            } else if (colon < 0) {
                made.append("(.*)");
            } else {
                made.append('(').append(part, colon + 1, part.length() - 1).append(')');
            }
            at = end;
        }
        return Pattern.compile(
                made.toString(), Pattern.DOTALL | (isCaseSensitive ? 0 : Pattern.CASE_INSENSITIVE));
    }

    /// @param steps what is left of those of this look-up
    /// @return whether it matches; false if that takes more steps
    boolean matches(PathContainer path, Steps steps) {
        PathPattern.PathMatchInfo found = outline.matchAndExtract(path);
        if (found == null) {
            return false;
        }
        for (int i = 0; i < expressions.size(); i++) {
            String value = found.getUriVariables().get(variable(i));
            if (value == null || !steps.matches(expressions.get(i), value)) {
                return false;
            }
        }
        return true;
    }

    /// How much a look-up may cost: how many characters expressions may read. One that goes
    /// backwards reads them again.
    static final class Steps {
        /// 50,000: some hundred microseconds. A name of a hundred characters takes some hundred by
        /// four variables.
        private static final int MAX = 50_000;

        private int left = MAX;

        private boolean matches(Pattern expression, String value) {
            try {
                return expression.matcher(new Counted(value)).matches();
            } catch (Exceeded | StackOverflowError e) {
                // Expressions with alternatives call themselves for each character.
                left = 0;
                return false;
            }
        }

        private final class Counted implements CharSequence {
            private final CharSequence text;

            Counted(CharSequence text) {
                this.text = text;
            }

            @Override
            public int length() {
                return text.length();
            }

            @Override
            public char charAt(int index) {
                if (left <= 0) {
                    throw new Exceeded();
                }
                left--;
                return text.charAt(index);
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                return new Counted(text.subSequence(start, end));
            }

            @Override
            public String toString() {
                return text.toString();
            }
        }

        private static final class Exceeded extends RuntimeException {
            private static final long serialVersionUID = 1;

            Exceeded() {
                super(null, null, false, false);
            }
        }
    }
}
