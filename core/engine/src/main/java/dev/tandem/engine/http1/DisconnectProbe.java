package dev.tandem.engine.http1;

import dev.tandem.engine.UnreadInput;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.PeerState;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Finds out whether a client has disconnected while its request runs. What the client sent
/// meanwhile is kept for later. Belongs to one exchange; used by its thread, or by another that
/// looks in its place.
///
/// TCP reports the same of a client that has disconnected and of one that has only ended its own
/// side: a FIN. So an end that is there at the first look came right behind the request, as from a
/// client that sends a file of requests, and it still listens; one that comes later is that of a
/// client that waited, and waits no more. A handler that lets a request wait therefore looks from
/// the beginning of that wait on.
///
/// A look reads what has come, up to [UnreadInput#MOST], and asks the kernel what lies behind it.
/// Where the kernel cannot be asked (java.nio sees a reset, but no FIN), it reads up to
/// [#BLIND_MOST].
final class DisconnectProbe {
    /// How much is kept of what a client sends while its request runs, where an end is found by
    /// reading alone: 256 KiB. As many requests look at the same time as there are handlers.
    static final int BLIND_MOST = 262_144;

    /// With less room than this, something may be left unread: TLS gives a record as a whole, of up
    /// to 16 KiB and some hundred bytes (RFC 8446, section 5.2).
    private static final int RECORD = 17_408;

    private boolean hasLooked;
    private boolean isHalfClosed;

    /// Looks now.
    ///
    /// @param unread takes what has come; null while that is the request's body, which is not read
    ///     to its end
    /// @param input a thread's buffer for input
    /// @return whether the client is gone
    boolean isGone(Connection connection, @Nullable UnreadInput unread, IoBuffer input) {
        try {
            PeerState seen =
                    isHalfClosed || unread == null
                            ? connection.socket().peerState()
                            : read(connection, unread, input);
            boolean isEnded = seen == PeerState.ENDED && !isHalfClosed;
            isHalfClosed |= isEnded && !hasLooked;
            hasLooked |= seen != PeerState.UNKNOWN;
            return seen == PeerState.GONE || isEnded && !isHalfClosed;
        } catch (IOException e) {
            return true;
        }
    }

    private static PeerState read(Connection connection, UnreadInput unread, IoBuffer input)
            throws IOException {
        if (hasEnded(connection, unread, input, UnreadInput.MOST)) {
            return PeerState.ENDED;
        }
        if (unread.room(UnreadInput.MOST) >= RECORD) {
            return PeerState.OPEN;
        }
        PeerState behind = connection.socket().peerState();
        if (behind != PeerState.UNKNOWN) {
            return behind;
        }
        if (hasEnded(connection, unread, input, BLIND_MOST)) {
            return PeerState.ENDED;
        }
        return unread.room(BLIND_MOST) >= RECORD ? PeerState.OPEN : PeerState.UNKNOWN;
    }

    private static boolean hasEnded(
            Connection connection, UnreadInput unread, IoBuffer input, int most)
            throws IOException {
        if (unread.room(most) == 0) {
            return false;
        }
        int count = read(connection, unread, input, most);
        // Once more after nothing: TLS keeps the end's announcement back, and the end is behind it.
        if (count == 0) {
            count = read(connection, unread, input, most);
        }
        while (count > 0 && unread.room(most) > 0) {
            count = read(connection, unread, input, most);
        }
        return count < 0;
    }

    private static int read(Connection connection, UnreadInput unread, IoBuffer input, int most)
            throws IOException {
        ByteBuffer bytes = input.bytes().clear();
        bytes.limit(Math.min(bytes.capacity(), unread.room(most)));
        int count = connection.socket().read(input);
        unread.add(bytes.flip());
        return count;
    }
}
