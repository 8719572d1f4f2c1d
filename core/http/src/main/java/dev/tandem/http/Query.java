package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters of a query, decoded as `application/x-www-form-urlencoded`: `+` is a space, a
/// malformed percent code is kept literally, malformed UTF-8 becomes U+FFFD. Immutable.
public final class Query {

    /// No parameters.
    public static final Query EMPTY = new Query(new Parameters());

    /// The maximum number of parameters.
    public static final int PARAMETERS_MAX = 1_000;

    private final Parameters pairs;

    private Query(Parameters pairs) {
        this.pairs = pairs;
    }

    /// Decodes the part after the question mark; null for no query.
    ///
    /// @throws HttpException 400 if there are more than [#PARAMETERS_MAX] parameters: dropping some
    ///     would hide them from checks
    public static Query parse(@Nullable String raw) {
        if (raw == null || raw.isEmpty()) {
            return EMPTY;
        }
        var bytes = raw.getBytes(StandardCharsets.UTF_8);
        var pairs = new Parameters();
        if (!UrlEncoded.parse(bytes, bytes.length, PARAMETERS_MAX, pairs)) {
            throw new HttpException(400, "more than " + PARAMETERS_MAX + " query parameters");
        }
        return new Query(pairs);
    }

    /// Returns the first value with that name; empty if the query has the name without a value.
    public @Nullable String first(String name) {
        return pairs.first(name);
    }

    /// Returns all values with that name, in the order sent.
    public List<String> all(String name) {
        return pairs.all(name);
    }

    /// Returns each name once, in the order of its first occurrence.
    public List<String> names() {
        return pairs.names();
    }

    /// Returns the number of parameters.
    public int size() {
        return pairs.size();
    }

    /// Returns the decoded parameters, for logs and tests.
    @Override
    public String toString() {
        return pairs.toString();
    }
}
