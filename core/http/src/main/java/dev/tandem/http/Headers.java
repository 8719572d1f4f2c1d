package dev.tandem.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fields of a header or trailer section: ordered, with case-insensitive names (RFC 9110,
/// section 5.1). Immutable and thread-safe.
///
/// Lookups scan the fields linearly: a request has about ten, and a map would cost more than the
/// scan.
public final class Headers {

    /// An empty section.
    public static final Headers EMPTY = new Headers(new String[0], new String[0], 0);

    private final String[] names;
    private final String[] values;
    private final int size;

    private Headers(String[] names, String[] values, int size) {
        this.names = names;
        this.values = values;
        this.size = size;
    }

    /// Returns the fields given as name, value, name, value, and so on.
    ///
    /// @throws IllegalArgumentException if a value is missing, a name is not a token, or a value
    ///     contains a character that [FieldSyntax#isValue(String)] rejects
    public static Headers of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("the last name has no value");
        }
        int count = namesAndValues.length / 2;
        var names = new String[count];
        var values = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = FieldSyntax.requireName(namesAndValues[2 * i]);
            values[i] = FieldSyntax.requireValue(namesAndValues[2 * i + 1]);
        }
        return new Headers(names, values, count);
    }

    /// Returns the first `count` of `names` and `values`, which a decoder has validated. The arrays
    /// belong to the result from now on and must not be modified.
    ///
    /// @throws IndexOutOfBoundsException if an array is shorter than `count`
    public static Headers of(String[] names, String[] values, int count) {
        if (count == 0) {
            return EMPTY;
        }
        if (count < 0 || count > names.length || count > values.length) {
            throw new IndexOutOfBoundsException("no " + count + " names and values");
        }
        return new Headers(names, values, count);
    }

    public int size() {
        return size;
    }

    /// Returns the name of field `i`, as sent.
    ///
    /// @throws IndexOutOfBoundsException unless `i` is 0 to `size() - 1`
    public String name(int i) {
        return names[checked(i)];
    }

    /// Returns the value of field `i`.
    ///
    /// @throws IndexOutOfBoundsException unless `i` is 0 to `size() - 1`
    public String value(int i) {
        return values[checked(i)];
    }

    public boolean contains(String name) {
        return next(name, 0) >= 0;
    }

    /// Returns the first value with that name, or null.
    public @Nullable String first(String name) {
        int at = next(name, 0);
        return at < 0 ? null : values[at];
    }

    /// Returns all values with that name, in the order sent.
    public List<String> all(String name) {
        int at = next(name, 0);
        if (at < 0) {
            return List.of();
        }
        var found = new ArrayList<String>();
        for (; at >= 0; at = next(name, at + 1)) {
            found.add(values[at]);
        }
        return List.copyOf(found);
    }

    /// Returns all values with that name as one list, joined by `", "` (RFC 9110, section 5.3);
    /// empty if there is none.
    public String joined(String name) {
        int at = next(name, 0);
        if (at < 0) {
            return "";
        }
        int second = next(name, at + 1);
        return second < 0 ? values[at] : String.join(", ", all(name));
    }

    /// Returns whether the comma-separated list in the fields with that name contains `token`,
    /// ignoring case. Does not support quoted strings: it is for lists of tokens, such as
    /// `Connection`.
    public boolean hasToken(String name, String token) {
        for (int at = next(name, 0); at >= 0; at = next(name, at + 1)) {
            if (listHas(values[at], token)) {
                return true;
            }
        }
        return false;
    }

    /// Returns one `name: value` per line, for logs and tests.
    @Override
    public String toString() {
        var text = new StringBuilder();
        for (int i = 0; i < size; i++) {
            text.append(names[i]).append(": ").append(values[i]).append('\n');
        }
        return text.toString();
    }

    private int next(String name, int from) {
        for (int i = from; i < size; i++) {
            if (names[i].equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /// Checks the index against the section, which may be shorter than the arrays.
    private int checked(int i) {
        if (i < 0 || i >= size) {
            throw new IndexOutOfBoundsException("no field " + i + " of " + size);
        }
        return i;
    }

    private static boolean listHas(String list, String token) {
        int from = 0;
        while (from <= list.length()) {
            int comma = list.indexOf(',', from);
            int end = comma < 0 ? list.length() : comma;
            if (isElement(list, from, end, token)) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    private static boolean isElement(String list, int from, int end, String token) {
        int first = from;
        int last = end;
        while (first < last && isBlank(list.charAt(first))) {
            first++;
        }
        while (last > first && isBlank(list.charAt(last - 1))) {
            last--;
        }
        return last - first == token.length()
                && list.regionMatches(true, first, token, 0, token.length());
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
