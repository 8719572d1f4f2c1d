package dev.tandem.net;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/// Accepts for one loop: a few connections a turn, none while it is paused. All loops of a server
/// watch the same listening socket, and whichever has time takes the next visitor. Confined to its
/// loop.
public final class Acceptor {
    /// How many connections one turn takes in at most, so that those inside are not kept waiting by
    /// a rush of new ones.
    static final int BUDGET = 64;

    /// How many idle connections are closed at most when descriptors run out: enough to go on for a
    /// while. Where there are few, it is a quarter of them: not those who have only just come.
    static final int EVICTED_MAX = 64;

    /// How long accepting rests when descriptors run out and nothing was idle.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final Listener listener;
    private final Protocol.Factory protocols;
    private final int connectionsMax;
    private final TimingWheel.Deadline rest;
    private final Reserve reserve = new Reserve();
    private boolean isWanted;
    private boolean isResting;
    private boolean isClosed;

    /// @param connectionsMax how many connections this loop holds at most; beyond it, each newcomer
    ///     costs the longest idle one its place
    public Acceptor(Loop loop, Listener listener, Protocol.Factory protocols, int connectionsMax) {
        this.loop = loop;
        this.listener = listener;
        this.protocols = protocols;
        this.connectionsMax = connectionsMax;
        this.rest = new TimingWheel.Deadline(this::rested);
    }

    /// Begins to accept.
    public void start() throws IOException {
        isWanted = true;
        reserve.hold();
        loop.poller().add(listener, Poller.READ, this::ready);
    }

    /// Stops accepting: newcomers wait in the kernel's backlog.
    public void pause() {
        isWanted = false;
        loop.poller().interest(listener, Poller.NONE);
    }

    /// Accepts again.
    public void resume() {
        isWanted = true;
        if (!isResting && !isClosed) {
            loop.poller().interest(listener, Poller.READ);
        }
    }

    /// Stops accepting for good. The listener itself is closed by whoever opened it.
    public void close() {
        isClosed = true;
        pause();
        loop.timers().cancel(rest);
        reserve.release();
        loop.poller().remove(listener);
    }

    private void ready(int operations) {
        try {
            // A newcomer's first request may run here, and lose this thread the loop.
            for (int i = 0; i < BUDGET && loop.isHeld() && isWanted && !isResting; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    return;
                }
                if (loop.connectionCount() >= connectionsMax && loop.evict(1) == 0) {
                    socket.close(); // every connection has work: this one cannot be served
                } else {
                    loop.accepted(socket, protocols);
                }
            }
        } catch (OutOfDescriptorsException e) {
            outOfDescriptors(e);
        } catch (IOException e) {
            Log.LOG.log(Level.WARNING, "accepting a connection failed: " + e.getMessage());
        }
    }

    private void outOfDescriptors(OutOfDescriptorsException e) {
        int some = Math.clamp(loop.connectionCount() / 4, 1, EVICTED_MAX);
        int evicted = loop.evict(some);
        reserve.release();
        Log.LOG.log(Level.WARNING, e.getMessage() + ": closed " + evicted + " idle connections");
        reserve.hold();
        if (evicted == 0) {
            isResting = true;
            loop.poller().interest(listener, Poller.NONE);
            loop.timers().schedule(rest, loop.nowNanos() + REST_NANOS);
        }
    }

    private void rested() {
        isResting = false;
        if (isWanted) {
            resume();
        }
    }
}
