package dev.tandem.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cookies of a request (RFC 6265, sections 4.2 and 5.4). Immutable.
///
/// What is no cookie is passed over, never refused: anyone who may set a cookie for a site could
/// else lock its visitor out.
public final class Cookies {

    /// No cookies.
    public static final Cookies EMPTY = new Cookies(new Parameters());

    /// The most cookies taken from a request; browsers keep fewer than 200 for a site. Those behind
    /// are passed over.
    public static final int COUNT_MAX = 200;

    private final Parameters pairs;

    private Cookies(Parameters pairs) {
        this.pairs = pairs;
    }

    /// Reads the Cookie fields, of which there should be one.
    public static Cookies parse(Headers headers) {
        List<String> fields = headers.all("Cookie");
        if (fields.isEmpty()) {
            return EMPTY;
        }
        var pairs = new Parameters();
        for (String field : fields) {
            addAll(field, pairs);
        }
        return new Cookies(pairs);
    }

    /// The first value of that name, without the double quotes that may enclose it. Values are not
    /// decoded: encodings are the application's own.
    public @Nullable String first(String name) {
        return pairs.first(name);
    }

    /// Every value of that name: browsers send the one of the longest path first.
    public List<String> all(String name) {
        return pairs.all(name);
    }

    /// Each name once, in the order first sent.
    public List<String> names() {
        return pairs.names();
    }

    private static void addAll(String field, Parameters pairs) {
        int from = 0;
        while (from < field.length() && pairs.size() < COUNT_MAX) {
            int semicolon = field.indexOf(';', from);
            int end = semicolon < 0 ? field.length() : semicolon;
            add(field.substring(from, end), pairs);
            from = end + 1;
        }
    }

    private static void add(String pair, Parameters pairs) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            return;
        }
        String name = pair.substring(0, equals).strip();
        String value = unquoted(pair.substring(equals + 1).strip());
        // Spaces, commas and quotes inside of values break the grammar, but scripts set them.
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
