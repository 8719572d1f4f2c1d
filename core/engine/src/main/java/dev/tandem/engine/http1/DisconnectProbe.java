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
/// checks on its behalf.
///
/// TCP reports the same of a client that has disconnected and of one that has only closed its
/// sending side: a FIN. A FIN that is there at the first check came right behind the request, as
/// from a client that sends a file of requests, and the client still reads; a later FIN is that of
/// a client that waited, and has disconnected. A handler that lets a request wait therefore checks
/// from the beginning of that wait on.
///
/// A check reads the received input, up to [UnreadInput#MOST], and asks the kernel what follows it.
/// Where the kernel cannot be asked (java.nio sees a reset, but no FIN), it reads up to
/// [#BLIND_MOST]. Without room in the memory for input it reads nothing.
final class DisconnectProbe {
    /// Maximum size of input that is kept while its client's request runs, where a FIN is found by
    /// reading alone: 256 KiB. As many requests are checked at the same time as there are handlers.
    static final int BLIND_MOST = 262_144;

    /// With less space than this, input may be left unread: TLS delivers a record as a whole, of up
    /// to 16 KiB and some hundred bytes (RFC 8446, section 5.2).
    static final int RECORD = 17_408;

    private boolean hasLooked;
    private boolean isHalfClosed;

    /// Checks now.
    ///
    /// @param unread receives the input; null while that is the request's body, which is not read
    ///     to its end
    /// @param input a thread's buffer for input
    /// @return whether the client has disconnected
    boolean isGone(Connection connection, @Nullable UnreadInput unread, IoBuffer input) {
        try {
            PeerState seen =
                    isHalfClosed || unread == null || !unread.mayReadAhead()
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
        if (unread.space(UnreadInput.MOST) >= RECORD) {
            return PeerState.OPEN;
        }
        PeerState behind = connection.socket().peerState();
        if (behind != PeerState.UNKNOWN) {
            return behind;
        }
        if (hasEnded(connection, unread, input, BLIND_MOST)) {
            return PeerState.ENDED;
        }
        return unread.space(BLIND_MOST) >= RECORD ? PeerState.OPEN : PeerState.UNKNOWN;
    }

    private static boolean hasEnded(
            Connection connection, UnreadInput unread, IoBuffer input, int most)
            throws IOException {
        if (unread.space(most) == 0) {
            return false;
        }
        int count = read(connection, unread, input, most);
        // Once more after nothing was read: TLS withholds close_notify, and the FIN is behind it.
        if (count == 0) {
            count = read(connection, unread, input, most);
        }
        while (count > 0 && unread.space(most) > 0) {
            count = read(connection, unread, input, most);
        }
        return count < 0;
    }

    private static int read(Connection connection, UnreadInput unread, IoBuffer input, int most)
            throws IOException {
        ByteBuffer bytes = input.bytes().clear();
        bytes.limit(Math.min(bytes.capacity(), unread.space(most)));
        int count = connection.socket().read(input);
        unread.add(bytes.flip());
        return count;
    }
}
