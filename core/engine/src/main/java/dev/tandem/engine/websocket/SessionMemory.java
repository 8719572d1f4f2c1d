package dev.tandem.engine.websocket;

import java.util.concurrent.atomic.LongAdder;

/// The memory that all sessions take for what they have not handled ([#INPUT]), and for what their
/// clients have not read ([#OUTPUT]): a thirty-second of the heap each at most, however many
/// sessions there are. Two, so that clients that do not read keep no others from sending.
///
/// When it is used up, a session that has more than [#FREE] gets no more: an incomplete message is
/// refused with 1013, and for a client that does not read, the session counts as full before it has
/// reached its own bound. So clients that send whole messages and read what they are sent are not
/// affected. Safe for use by any thread; exceeded by at most a piece of input for each loop.
final class SessionMemory {
    /// What each session may have in any case, which is not counted: 4 KiB.
    static final int FREE = 4096;

    private static final int SHARE = 32;

    static final SessionMemory INPUT = new SessionMemory(Runtime.getRuntime().maxMemory() / SHARE);
    static final SessionMemory OUTPUT = new SessionMemory(Runtime.getRuntime().maxMemory() / SHARE);

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
