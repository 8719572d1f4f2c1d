package dev.tandem.lab;

import java.io.IOException;
import java.util.Random;

/// One run of one kind of client, from connecting to the end of its connections.
@FunctionalInterface
interface SoakClient {
    /// @param random decides what may vary
    /// @throws IOException if the server does not respond, or responds wrongly
    /// @throws InterruptedException if the soak ends
    void run(Random random) throws IOException, InterruptedException;

    /// @throws IOException unless the condition holds; says which does not
    static void expect(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException(what);
        }
    }
}
