package dev.tandem.engine.site;

import dev.tandem.http.MalformedMessage;

/// What a request line leads to.
public sealed interface Resolution permits Resolved, Resolution.Refused {

    /// Its target is malformed.
    record Refused(MalformedMessage bad) implements Resolution {}
}
