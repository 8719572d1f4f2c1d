package dev.tandem.engine.websocket;

import java.util.concurrent.atomic.LongAdder;

/// The memory that all sessions take for what they have not handled, or their clients have not
/// read: at most a sixteenth of the heap, however many sessions there are.
///
/// When it is used up, a session that has more than [#FREE] gets no more: an incomplete message is
/// refused with 1013, and for a client that does not read, the session counts as full before it has
/// reached its own bound. So clients that send whole messages and read what they are sent are not
/// affected. Safe for use by any thread; exceeded by at most a piece of input for each loop.
final class SessionMemory {
    /// What each session may have in any case, which is not counted: 4 KiB.
    static final int FREE = 4096;

    private static final int SHARE = 16;

    static final SessionMemory SHARED = new SessionMemory(Runtime.getRuntime().maxMemory() / SHARE);

    private final LongAdder bytes = new LongAdder();
    private final long most;

    SessionMemory(long most) {
        this.most = most;
    }

    boolean hasRoom() {
        return bytes.sum() < most;
    }

    /// Counts what a session has, without what is free.
    ///
    /// @param counted what this method returned last for it, 0 at first
    /// @param bytesNow that it has now
    /// @return what is counted now
    long count(long counted, long bytesNow) {
        long now = Math.max(0, bytesNow - FREE);
        if (now != counted) {
            bytes.add(now - counted);
        }
        return now;
    }

    long bytes() {
        return bytes.sum();
    }

    long most() {
        return most;
    }
}
