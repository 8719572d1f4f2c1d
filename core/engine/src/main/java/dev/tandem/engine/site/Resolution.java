package dev.tandem.engine.site;

import dev.tandem.http.MalformedMessage;

/// The result of resolving a request line.
public sealed interface Resolution permits Resolved, Resolution.Rejected {

    /// Its target is malformed.
    record Rejected(MalformedMessage bad) implements Resolution {}
}
