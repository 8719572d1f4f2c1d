package dev.tandem.lab;

import java.io.IOException;

/// Many connections that each received one response and are idle since. Confined to one thread.
interface Idle extends AutoCloseable {

    /// Opens connections one by one; each sends a request and reads the response.
    ///
    /// @param port of plain HTTP
    /// @throws IOException if one cannot be opened or gets no response; the earlier ones stay open
    void open(int port, int count) throws IOException;

    int count();

    /// How many the server has left open.
    int countOpen() throws IOException;

    @Override
    void close();
}
