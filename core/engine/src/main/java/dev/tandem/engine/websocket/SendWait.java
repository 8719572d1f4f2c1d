package dev.tandem.engine.websocket;

import dev.tandem.engine.WaitingClient;

/// A thread that waits until the client of a session has taken some of what was sent to it.
final class SendWait implements WaitingClient {
    private static final double SECOND = 1_000_000_000;

    private final WebSocketSession session;
    private final Runnable abort;
    private final long begin = System.nanoTime();
    private final long deliveredBefore;

    /// @param abort ends the wait, and the session without a close frame
    SendWait(WebSocketSession session, Runnable abort) {
        this.session = session;
        this.abort = abort;
        this.deliveredBefore = session.delivered();
    }

    @Override
    public long runNanos() {
        return begin;
    }

    /// Returns the speed of the client since the wait began.
    @Override
    public double bytesPerSecond(long nowNanos) {
        long taken = session.delivered() - deliveredBefore;
        return taken * SECOND / Math.max(1, nowNanos - begin);
    }

    @Override
    public void abort() {
        abort.run();
    }
}
