package dev.tandem.engine.http1;

import java.io.IOException;

/// A step on a loop that fails when the peer has gone.
@FunctionalInterface
interface IoAction {
    void run() throws IOException;
}
