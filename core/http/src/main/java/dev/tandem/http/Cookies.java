package dev.tandem.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cookies of a request (RFC 6265, sections 4.2 and 5.4). Immutable.
///
/// A malformed cookie is ignored, and the request is never rejected for it: otherwise anyone who
/// can set a cookie for a site could lock its users out.
public final class Cookies {

    /// No cookies.
    public static final Cookies EMPTY = new Cookies(new Parameters());

    /// The maximum number of cookies read from a request, malformed ones included; browsers keep
    /// fewer than 200 for a site. The others are ignored.
    public static final int COUNT_MAX = 200;

    private final Parameters pairs;

    private Cookies(Parameters pairs) {
        this.pairs = pairs;
    }

    /// Parses the Cookie headers, of which there should be one.
    public static Cookies parse(Headers headers) {
        List<String> fields = headers.all("Cookie");
        if (fields.isEmpty()) {
            return EMPTY;
        }
        var pairs = new Parameters();
        int left = COUNT_MAX;
        for (String field : fields) {
            left = addAll(field, pairs, left);
        }
        return new Cookies(pairs);
    }

    /// Returns the first value with that name, without enclosing double quotes. Values are not
    /// decoded: their encoding is the application's choice.
    public @Nullable String first(String name) {
        return pairs.first(name);
    }

    /// Returns all values with that name; browsers send the one with the longest path first.
    public List<String> all(String name) {
        return pairs.all(name);
    }

    /// Returns each name once, in the order of its first occurrence.
    public List<String> names() {
        return pairs.names();
    }

    /// @param most the number of cookies that may still be read
    /// @return what is left of that number
    private static int addAll(String field, Parameters pairs, int most) {
        int left = most;
        int from = 0;
        while (from < field.length() && left > 0) {
            int semicolon = field.indexOf(';', from);
            int end = semicolon < 0 ? field.length() : semicolon;
            add(field.substring(from, end), pairs);
            from = end + 1;
            left--;
        }
        return left;
    }

    private static void add(String pair, Parameters pairs) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            return;
        }
        String name = pair.substring(0, equals).strip();
        String value = unquoted(pair.substring(equals + 1).strip());
        // Spaces, commas and quotes within values violate the grammar, but scripts set them.
        if (FieldSyntax.isToken(name) && FieldSyntax.isValue(value)) {
            pairs.add(name, value);
        }
    }

    private static String unquoted(String value) {
        int last = value.length() - 1;
        boolean isQuoted = last >= 1 && value.charAt(0) == '"' && value.charAt(last) == '"';
        return isQuoted ? value.substring(1, last) : value;
    }
}
