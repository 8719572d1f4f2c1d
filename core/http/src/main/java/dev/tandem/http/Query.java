package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters of a query, decoded by the rules of `application/x-www-form-urlencoded`: `+` is a
/// space, a bad percent code stands for itself, malformed UTF-8 becomes U+FFFD. Immutable.
public final class Query {

    /// No parameters.
    public static final Query EMPTY = new Query(new Parameters());

    /// The most pairs a query may have.
    public static final int PARAMETERS_MAX = 1_000;

    private final Parameters pairs;

    private Query(Parameters pairs) {
        this.pairs = pairs;
    }

    /// Decodes what stands after the question mark; null is no query.
    ///
    /// @throws HttpException 400 if there are more than [#PARAMETERS_MAX] pairs: to leave some out
    ///     would hide them from whoever checks them
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

    /// The first value of that name; empty where the query has the name alone.
    public @Nullable String first(String name) {
        return pairs.first(name);
    }

    /// Every value of that name, in the order sent.
    public List<String> all(String name) {
        return pairs.all(name);
    }

    /// Each name once, in the order first sent.
    public List<String> names() {
        return pairs.names();
    }

    /// How many pairs there are.
    public int size() {
        return pairs.size();
    }

    /// The pairs, decoded: for logs and tests.
    @Override
    public String toString() {
        return pairs.toString();
    }
}
