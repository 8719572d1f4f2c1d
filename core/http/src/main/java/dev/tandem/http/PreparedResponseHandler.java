package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// A handler that can respond to some requests immediately, from memory.
public interface PreparedResponseHandler extends Handler {

    /// Returns a prepared response, or null if [#handle(Exchange)] must be called. Runs on the
    /// event loop for each request of the route: it must not block, and should not allocate.
    ///
    /// @param path the value of the route's wildcard parameter (`{path...}`), or the complete path
    ///     if it has none
    @Nullable PreparedResponse preparedResponse(RequestHead head, String path);
}
