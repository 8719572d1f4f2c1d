package dev.tandem.http;

import java.util.List;

/// What answers requests of one method to the paths of one pattern.
///
/// @param method a method's name, or `*` for any
/// @param pattern as it was written, such as `/hello/{name}`
/// @param parameters the names of its parameters, in their order
public record Route(String method, String pattern, Handler handler, List<String> parameters) {

    public Route {
        parameters = List.copyOf(parameters);
    }
}
