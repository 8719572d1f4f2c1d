package dev.tandem.engine;

import dev.tandem.http.Headers;
import java.io.InputStream;

/// The body of a request. Confined to the thread that runs the exchange, but for [#received()].
public interface RequestBody {
    /// Returns its bytes; always the same stream. Its `read` throws what
    /// [dev.tandem.http.Request#body()] says.
    InputStream stream();

    /// Returns the length in bytes by the request's head; -1 if it is not known before the end.
    long length();

    /// Returns the trailers; empty until the body was read to its end.
    Headers trailers();

    /// Returns the number of bytes of it that were received. May be called by any thread: possibly
    /// a moment old.
    long received();
}
