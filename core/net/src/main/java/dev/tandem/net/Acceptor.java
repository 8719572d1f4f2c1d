package dev.tandem.net;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/// Accepts connections for one loop: a limited number per iteration, none while it is paused. All
/// loops of a server watch the same listening socket, and an idle one accepts the next connection.
/// Confined to its loop.
///
/// While connections are pending, and after a pause, it accepts in each iteration without the
/// poller's report: with thousands of ready connections the poller reports each in its turn, and a
/// listener that is added again has the last one. Its clients waited for seconds.
public final class Acceptor {
    /// The maximum number of connections accepted per iteration, so that a burst of new connections
    /// does not delay existing ones.
    static final int ACCEPT_BUDGET = 64;

    /// The same while connections have been pending for longer than [#PATIENCE_NANOS]: as many as
    /// the poller reports ready ones in an iteration, since those are served no sooner.
    static final int ACCEPT_BUDGET_MAX = 256;

    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// The maximum number of idle connections closed when descriptors run out, which is enough for
    /// a while. If there are few, a quarter of them is closed, to spare the most recent ones.
    static final int EVICTED_MAX = 64;

    /// The maximum number of pending connections accepted when a listener is closed: 1,024, the
    /// default length of its backlog.
    private static final int BACKLOG_MAX = 1024;

    /// The pause of accepting when descriptors run out and no connection is idle.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final Runnable acceptPending = this::acceptPending;
    private final Listener listener;
    private final Protocol.Factory protocols;
    private final int connectionsMax;
    private final TimingWheel.Deadline restTimer;
    private final DescriptorReserve reserve = new DescriptorReserve();
    private final RateLimitedLog fullLog;
    private final RateLimitedLog descriptorLog;
    private boolean isEnabled;
    private boolean isResting;

    /// Whether the previous attempt also found no descriptor.
    private boolean hasRested;

    /// Whether new connections are accepted in batches.
    private volatile boolean isBatching;

    private boolean isClosed;

    /// Read by any thread.
    private volatile boolean hasBacklog;

    /// When the backlog was empty last, while [#hasBacklog].
    private long pendingSince;

    /// Whether the loop has the task [#acceptPending].
    private boolean isAcceptQueued;

    /// @param connectionsMax the maximum number of connections of this loop; beyond it, each new
    ///     connection causes the longest idle one to be closed
    public Acceptor(Loop loop, Listener listener, Protocol.Factory protocols, int connectionsMax) {
        this.loop = loop;
        this.listener = listener;
        this.protocols = protocols;
        this.connectionsMax = connectionsMax;
        this.restTimer = new TimingWheel.Deadline(this::restEnded);
        this.fullLog = new RateLimitedLog(loop.clock(), Acceptor::warn);
        this.descriptorLog = new RateLimitedLog(loop.clock(), Acceptor::warn);
    }

    /// Starts accepting.
    public void start() throws IOException {
        isEnabled = true;
        reserve.acquire();
        loop.poller().add(listener, Poller.READ, this::ready);
    }

    /// Pauses accepting: new connections wait in the kernel's backlog.
    public void pause() {
        isEnabled = false;
        loop.poller().setInterest(listener, Poller.NONE);
    }

    /// Resumes accepting.
    public void resume() {
        isEnabled = true;
        if (!isResting && !isClosed) {
            loop.poller().setInterest(listener, Poller.READ);
            acceptSoon();
        }
    }

    /// Sets whether new connections wait in the backlog for at most 16 ms, one tick of the loop's
    /// timers, and are accepted together: waking a loop for each of many connections that it can
    /// only reject costs running requests more than the rejections do. May be called from any
    /// thread.
    public void setBatching(boolean isBatching) {
        this.isBatching = isBatching;
    }

    /// Returns whether the last iteration that accepted stopped before the backlog was empty. May
    /// be called from any thread.
    public boolean hasBacklog() {
        return hasBacklog;
    }

    /// Stops accepting permanently. The listener itself is closed by its owner.
    public void close() {
        isClosed = true;
        pause();
        loop.timers().cancel(restTimer);
        reserve.release();
        loop.poller().remove(listener);
    }

    /// Accepts the connections in the backlog of a listener that is about to be closed: to their
    /// clients they are established, and closing the listener would reset them. This acceptor is
    /// closed already.
    public void acceptBacklog() {
        try {
            for (int i = 0; i < BACKLOG_MAX; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    return;
                }
                // Each in a task of its own: its request may run here, and another thread may take
                // over the loop.
                loop.execute(() -> open(socket));
            }
        } catch (IOException e) {
            warn("a pending connection was not accepted: " + e.getMessage());
        }
    }

    private void ready(int operations) {
        acceptSoon();
    }

    /// Has the loop accept in this iteration, or in the next one if it has done so already.
    private void acceptSoon() {
        if (!isAcceptQueued) {
            loop.execute(acceptPending); // first: it fails for lack of memory
            isAcceptQueued = true;
        }
    }

    private void acceptPending() {
        isAcceptQueued = false;
        if (isClosed || !isEnabled || isResting) {
            return;
        }
        reserve.acquire(); // before the next connection, if another thread took it
        try {
            int budget = budget();
            // The first request of a new connection may run here, and another thread may take over
            // the loop.
            for (int i = 0; i < budget && loop.isHeld() && isEnabled && !isResting; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    backlogEmpty();
                    return;
                }
                hasRested = false;
                open(socket);
            }
            backlogLeft();
        } catch (OutOfDescriptorsException e) {
            outOfDescriptors(e);
        } catch (IOException e) {
            warn("accepting a connection failed: " + e.getMessage());
        }
    }

    private int budget() {
        boolean isOverdue = hasBacklog && loop.nowNanos() - pendingSince > PATIENCE_NANOS;
        return isOverdue ? ACCEPT_BUDGET_MAX : ACCEPT_BUDGET;
    }

    private void backlogLeft() {
        if (!loop.isHeld()) {
            return; // the poller reports the listener to the new holder
        }
        if (!hasBacklog) {
            pendingSince = loop.nowNanos();
            hasBacklog = true;
        }
        acceptSoon();
    }

    private void backlogEmpty() {
        hasBacklog = false;
        if (isBatching) {
            restTimer(1); // until the end of the tick
        }
    }

    private void open(Socket socket) {
        if (loop.connectionCount() >= connectionsMax && !makeRoom(socket)) {
            reject(socket); // first: to log takes memory
            fullLog.log("all " + connectionsMax + " connections of a loop are busy");
        } else {
            loop.addConnection(socket, protocols);
        }
    }

    private boolean makeRoom(Socket waiting) {
        boolean isKnown = false;
        try {
            boolean hasRoom = loop.makeRoom();
            isKnown = true;
            return hasRoom;
        } finally {
            if (!isKnown) {
                waiting.close(); // no one else would
            }
        }
    }

    /// Closes a new connection that cannot be served because all connections are busy. It is sent a
    /// response first if it accepts that without blocking.
    private void reject(Socket socket) {
        try {
            byte[] response = protocols.overloadResponse();
            if (response.length > 0) {
                IoBuffer buffer = loop.input();
                buffer.bytes().clear();
                socket.read(buffer); // unread input would cause a reset and lose the response
                buffer.bytes().clear().put(response).flip();
                socket.write(buffer);
            }
        } catch (IOException e) {
            // The client has disconnected.
        } finally {
            socket.close(); // no one else would
        }
    }

    private static void warn(String line) {
        Log.LOG.log(Level.WARNING, line);
    }

    private void outOfDescriptors(OutOfDescriptorsException e) {
        int some = Math.clamp(loop.connectionCount() / 4, 1, EVICTED_MAX);
        int evicted = loop.evict(some);
        logOutOfDescriptors(e.getMessage() + ": closed " + evicted + " idle connections");
        if (evicted == 0) {
            if (hasRested) {
                rejectBacklog();
            }
            hasRested = true;
            restTimer(REST_NANOS);
        }
    }

    private void restTimer(long nanos) {
        isResting = true;
        loop.poller().setInterest(listener, Poller.NONE);
        loop.timers().schedule(restTimer, loop.nowNanos() + nanos);
    }

    /// The first log line may need a descriptor. Meanwhile a worker may take the reserved one for a
    /// file, so it is not released for every line.
    private void logOutOfDescriptors(String line) {
        if (hasRested) {
            descriptorLog.log(line);
            return;
        }
        reserve.release();
        descriptorLog.log(line);
        reserve.acquire();
    }

    /// The shortage persists, so pending connections would wait as long as the busy ones last: the
    /// reserved descriptor suffices to reject them one by one.
    private void rejectBacklog() {
        reserve.release();
        try {
            for (int i = 0; i < ACCEPT_BUDGET; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    break;
                }
                reject(socket);
            }
        } catch (IOException e) {
            // The descriptor was taken by another thread. The next pause is followed by another
            // attempt.
        }
        reserve.acquire();
    }

    private void restEnded() {
        isResting = false;
        if (isEnabled) {
            resume();
        }
    }
}
