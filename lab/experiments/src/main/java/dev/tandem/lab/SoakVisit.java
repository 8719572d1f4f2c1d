package dev.tandem.lab;

import java.io.IOException;
import java.util.Random;

/// What one kind of client does once, from connecting to being gone.
@FunctionalInterface
interface SoakVisit {
    /// @param random decides what may vary
    /// @throws IOException if the server does not answer, or answers wrongly
    /// @throws InterruptedException if the crowd is sent home
    void pay(int port, Random random) throws IOException, InterruptedException;

    /// @throws IOException unless it holds; says what does not
    static void expect(boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException(what);
        }
    }
}
