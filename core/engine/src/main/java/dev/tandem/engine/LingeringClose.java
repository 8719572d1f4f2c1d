package dev.tandem.engine;

import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import java.io.IOException;

/// The end of a connection whose peer is still sending: a socket closed over unread input is reset,
/// and the last response may be lost with it (RFC 9112, section 9.6).
public final class LingeringClose {
    /// How much a closing connection still reads: 1 MiB.
    public static final int BYTES = 1 << 20;

    private LingeringClose() {}

    /// Reads and drops received input.
    ///
    /// @param input a thread's buffer for input
    /// @param most maximum number of bytes to read
    /// @return number of bytes still to be read when more arrives; 0 or less if it is time to close
    public static long drain(Connection connection, IoBuffer input, long most) throws IOException {
        long left = most;
        while (left > 0) {
            input.bytes().clear();
            int count = connection.socket().read(input);
            if (count == 0) {
                return left;
            }
            left = count < 0 ? 0 : left - count;
        }
        return left;
    }
}
