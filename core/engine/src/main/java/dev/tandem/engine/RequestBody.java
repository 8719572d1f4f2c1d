package dev.tandem.engine;

import dev.tandem.http.Headers;
import java.io.InputStream;

/// The body of a request. Confined to the thread that runs the exchange, but for [#received()].
public interface RequestBody {
    /// Returns its bytes; always the same stream. Its `read` throws what
    /// [dev.tandem.http.Request#body()] says.
    InputStream stream();

    /// Returns the length in bytes as the head says it; -1 if it is not known before the end.
    long length();

    /// Returns the fields that followed it; empty until it was read to its end.
    Headers trailers();

    /// Returns how many bytes of it have come. May be called by any thread: a moment old, perhaps.
    long received();
}
