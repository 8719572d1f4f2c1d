package dev.tandem.lab;

import java.io.IOException;

/// Many connections that have each been answered once and then say nothing. Confined to one thread.
interface Idle extends AutoCloseable {

    /// Opens connections one by one, and has each answered.
    ///
    /// @param port where plain HTTP is spoken
    /// @throws IOException if one cannot be opened or is not answered; those before it stay open
    void open(int port, int count) throws IOException;

    int count();

    /// How many the server has left open.
    int countOpen() throws IOException;

    @Override
    void close();
}
