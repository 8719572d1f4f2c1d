package dev.tandem.engine.websocket;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The memory that all sessions take for what they have not handled ([#INPUT]), and for what their
/// clients have not read ([#OUTPUT]): a sixteenth of the heap each at most, however many
/// sessions there are. Two, so that clients that do not read keep no others from sending.
///
/// The sessions of one client ([dev.tandem.admission.ClientNetwork]) have at most as much as is
/// free: one has half of it all, two that want all have a third each. So a client leaves memory to
/// others, however many connections it has. These are the *dynamic thresholds* of switches with
/// shared buffers (A. Choudhury and E. Hahne, 1998).
///
/// When it is used up, a session that has more than [#FREE] gets no more: an incomplete message is
/// refused with 1013, and for a client that does not read, the session counts as full before it has
/// reached its own bound. A message that is sent nevertheless has to be taken within
/// [#PATIENCE_NANOS]; at once, if there is twice as much as may be. So clients that send whole
/// messages and read what they are sent are not affected.
///
/// Safe for use by any thread. Exceeded by at most a piece of input for each loop, and by as much
/// again of what is sent.
final class SessionMemory {
    /// What each session may have in any case, which is not counted: 4 KiB.
    static final int FREE = 4096;

    /// 5 s: how long a message waits for a client that has more than is free.
    static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final int SHARE = 16;

    static final SessionMemory INPUT = new SessionMemory(Runtime.getRuntime().maxMemory() / SHARE);
    static final SessionMemory OUTPUT = new SessionMemory(Runtime.getRuntime().maxMemory() / SHARE);

    private final LongAdder bytes = new LongAdder();
    private final long most;

    /// Bytes by client, for those that have some: never more than there are sessions with more than
    /// [#FREE].
    private final ConcurrentHashMap<Long, Long> clients = new ConcurrentHashMap<>();

    SessionMemory(long most) {
        this.most = most;
    }

    /// Whether a client's sessions may have more.
    boolean hasRoom(long client) {
        return isWithin(most, client);
    }

    /// Whether they have more than if there were twice as much: what waits must be taken at once.
    boolean isFarExceeded(long client) {
        return !isWithin(2 * most, client);
    }

    private boolean isWithin(long limit, long client) {
        long used = bytes.sum();
        if (used < limit / 2) {
            return true; // no client has more than is free
        }
        return used < limit && clients.getOrDefault(client, 0L) < limit - used;
    }

    /// Counts what a session has, without what is free.
    ///
    /// @param client the session's
    /// @param counted what this method returned last for the session, 0 at first
    /// @param bytesNow that it has now
    /// @return what is counted now
    long count(long client, long counted, long bytesNow) {
        long now = Math.max(0, bytesNow - FREE);
        long added = now - counted;
        if (added != 0) {
            bytes.add(added);
            clients.merge(client, added, SessionMemory::sum);
        }
        return now;
    }

    private static @Nullable Long sum(long before, long added) {
        long now = before + added;
        return now == 0 ? null : now;
    }

    long bytes() {
        return bytes.sum();
    }

    long most() {
        return most;
    }

    /// Returns how many clients have some.
    int clients() {
        return clients.size();
    }
}
