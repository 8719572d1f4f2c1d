package dev.tandem.engine.http1;

import java.io.IOException;

/// An action on a loop that fails when the peer has disconnected.
@FunctionalInterface
interface IoAction {
    void run() throws IOException;
}
