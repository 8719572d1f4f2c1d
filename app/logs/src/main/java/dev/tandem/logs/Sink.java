package dev.tandem.logs;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Where lines go. Used by one thread.
interface Sink {

    /// Writes whole lines. What is left in the buffer after an exception was not written; half a
    /// line may have been.
    void write(ByteBuffer lines) throws IOException;

    /// Begins anew at the same name, since another program has renamed the file.
    void reopen() throws IOException;

    void close() throws IOException;
}
