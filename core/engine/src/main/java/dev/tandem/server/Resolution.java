package dev.tandem.server;

import dev.tandem.http.MalformedMessage;

/// What a request line leads to.
sealed interface Resolution permits Resolved, Resolution.Refused {

    /// Its target is malformed.
    record Refused(MalformedMessage bad) implements Resolution {}
}
