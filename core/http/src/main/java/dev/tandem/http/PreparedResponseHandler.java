package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// A handler that can answer some requests at once, from memory.
public interface PreparedResponseHandler extends Handler {

    /// An answer that lies ready, or null if [#handle(Exchange)] must be called. Runs on the event
    /// loop for every request of the route: it must not block, and should not allocate.
    ///
    /// @param path the value of the route's tail parameter (`{path...}`), or the whole path where
    ///     it has none
    @Nullable PreparedResponse preparedResponse(RequestHead head, String path);
}
