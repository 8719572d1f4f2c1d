package dev.tandem.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A handler for the requests with one method and the paths of one pattern.
///
/// @param method the name of a method, or `*` for any
/// @param pattern the pattern as specified, such as `/hello/{name}`
/// @param parameters the names of the pattern's parameters, in order
public record Route(String method, String pattern, Handler handler, List<String> parameters) {

    public Route {
        parameters = List.copyOf(parameters);
    }

    /// Written out: a record's own is linked at each start (docs/decisions/0006-start-up.md).
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Route route
                && method.equals(route.method)
                && pattern.equals(route.pattern)
                && handler.equals(route.handler)
                && parameters.equals(route.parameters);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * method.hashCode() + pattern.hashCode()) + handler.hashCode();
    }
}
