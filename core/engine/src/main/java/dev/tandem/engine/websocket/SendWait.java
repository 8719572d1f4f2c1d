package dev.tandem.engine.websocket;

import dev.tandem.engine.WaitingClient;

/// A thread that waits until the client of a session has taken some of what was sent to it.
final class SendWait implements WaitingClient {
    private static final double SECOND = 1_000_000_000;

    private final WebSocketSession session;
    private final SessionIo io;
    private final boolean isOfOther;
    private final long begin = System.nanoTime();
    private final long deliveredBefore;
    private volatile boolean isAborted;

    /// @param isOfOther whether the thread is not the one that handles a message of the session
    SendWait(WebSocketSession session, SessionIo io, boolean isOfOther) {
        this.session = session;
        this.io = io;
        this.isOfOther = isOfOther;
        this.deliveredBefore = delivered();
    }

    private long delivered() {
        return session.delivered() + io.takenOfWaiting();
    }

    @Override
    public long runNanos() {
        return begin;
    }

    /// Returns the speed of the client since the wait began.
    @Override
    public double bytesPerSecond(long nowNanos) {
        long taken = Math.max(0, delivered() - deliveredBefore);
        return taken * SECOND / Math.max(1, nowNanos - begin);
    }

    /// Ends the wait, and the session without a close frame.
    @Override
    public void abort() {
        isAborted = true;
        if (isOfOther) {
            session.wakeSenders();
            io.drop();
        } else {
            io.cancelWait();
        }
    }

    /// Whether the client has taken something since the wait began.
    ///
    /// @param rateMin bytes a second that it must take at least; 0 for any
    boolean isTaking(long rateMin) {
        double rate = bytesPerSecond(System.nanoTime());
        return rate > 0 && rate >= rateMin;
    }

    boolean isAborted() {
        return isAborted;
    }
}
