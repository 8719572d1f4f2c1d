package dev.tandem.logs;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Destination of lines. Used by one thread.
interface Sink {

    /// Writes whole lines. What is left in the buffer after an exception has not been written; part
    /// of a line may have been.
    void write(ByteBuffer lines) throws IOException;

    /// Reopens the file by name, after another program has renamed it.
    void reopen() throws IOException;

    void close() throws IOException;
}
