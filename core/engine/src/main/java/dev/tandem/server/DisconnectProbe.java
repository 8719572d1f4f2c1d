package dev.tandem.server;

import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Looks whether a client has left while its request runs. What it sent meanwhile is kept for
/// later. Of one exchange; its thread's, or another's that looks in its place.
///
/// TCP says the same of a client that has left and of one that has only said all it had to say: its
/// side of the stream has ended. So an end that is there at the first look came right behind the
/// request, as of a client that sends a file of requests, and it still listens; one that comes
/// later is that of a client that waited, and waits no more.
final class DisconnectProbe {
    private boolean hasLooked;
    private boolean isHalfClosed;

    /// Looks now.
    ///
    /// @param unread takes what has come
    /// @param input a thread's buffer for input
    /// @return whether the client is gone
    boolean isGone(Connection connection, UnreadInput unread, IoBuffer input) {
        if (isHalfClosed || unread.room() == 0) {
            return false;
        }
        try {
            boolean isEnded = hasEnded(connection, unread, input);
            isHalfClosed = isEnded && !hasLooked;
            return isEnded && hasLooked;
        } catch (IOException e) {
            return true;
        } finally {
            hasLooked = true;
        }
    }

    private static boolean hasEnded(Connection connection, UnreadInput unread, IoBuffer input)
            throws IOException {
        int count = read(connection, unread, input);
        // Once more after nothing: TLS keeps the end's announcement back, and the end is behind it.
        if (count == 0) {
            count = read(connection, unread, input);
        }
        while (count > 0 && unread.room() > 0) {
            count = read(connection, unread, input);
        }
        return count < 0;
    }

    private static int read(Connection connection, UnreadInput unread, IoBuffer input)
            throws IOException {
        ByteBuffer bytes = input.bytes().clear();
        bytes.limit(Math.min(bytes.capacity(), unread.room()));
        int count = connection.socket().read(input);
        unread.add(bytes.flip());
        return count;
    }
}
