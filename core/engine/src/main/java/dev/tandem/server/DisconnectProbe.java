package dev.tandem.server;

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

    /// @return whether the client is gone
    boolean isGone(Http1Connection http, IoContext kit) {
        if (isHalfClosed || http.carry().room() == 0) {
            return false;
        }
        try {
            boolean isEnded = hasEnded(http, kit);
            isHalfClosed = isEnded && !hasLooked;
            return isEnded && hasLooked;
        } catch (IOException e) {
            return true;
        } finally {
            hasLooked = true;
        }
    }

    private static boolean hasEnded(Http1Connection http, IoContext kit) throws IOException {
        int count = read(http, kit);
        // Once more after nothing: TLS keeps the end's announcement back, and the end is behind it.
        if (count == 0) {
            count = read(http, kit);
        }
        while (count > 0 && http.carry().room() > 0) {
            count = read(http, kit);
        }
        return count < 0;
    }

    private static int read(Http1Connection http, IoContext kit) throws IOException {
        IoBuffer buffer = kit.input();
        ByteBuffer input = buffer.bytes().clear();
        input.limit(Math.min(input.capacity(), http.carry().room()));
        int count = http.connection().socket().read(buffer);
        http.carry().add(input.flip());
        return count;
    }
}
