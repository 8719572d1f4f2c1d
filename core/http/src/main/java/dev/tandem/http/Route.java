package dev.tandem.http;

import java.util.List;

/// A handler for the requests with one method and the paths of one pattern.
///
/// @param method the name of a method, or `*` for any
/// @param pattern the pattern as specified, such as `/hello/{name}`
/// @param parameters the names of the pattern's parameters, in order
public record Route(String method, String pattern, Handler handler, List<String> parameters) {

    public Route {
        parameters = List.copyOf(parameters);
    }
}
