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
    static final int ACCEPT_BUDGET = 64;

    /// How many idle connections are closed at most when descriptors run out: enough to go on for a
    /// while. Where there are few, it is a quarter of them: not those who have only just come.
    static final int EVICTED_MAX = 64;

    /// How many of those who wait are taken in when a listener is given up: 1,024, as many as its
    /// backlog has by default.
    private static final int BACKLOG_MAX = 1024;

    /// How long accepting rests when descriptors run out and nothing was idle.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final Listener listener;
    private final Protocol.Factory protocols;
    private final int connectionsMax;
    private final TimingWheel.Deadline restTimer;
    private final DescriptorReserve reserve = new DescriptorReserve();
    private final RateLimitedLog fullLog;
    private final RateLimitedLog descriptorLog;
    private boolean isEnabled;
    private boolean isResting;

    /// Whether there was no descriptor the last time either.
    private boolean hasRested;

    /// Whether those who come are to wait for each other.
    private volatile boolean isBatching;

    private boolean isClosed;

    /// Read by whoever asks.
    private volatile boolean hasBacklog;

    /// @param connectionsMax how many connections this loop holds at most; beyond it, each newcomer
    ///     costs the longest idle one its place
    public Acceptor(Loop loop, Listener listener, Protocol.Factory protocols, int connectionsMax) {
        this.loop = loop;
        this.listener = listener;
        this.protocols = protocols;
        this.connectionsMax = connectionsMax;
        this.restTimer = new TimingWheel.Deadline(this::restEnded);
        this.fullLog = new RateLimitedLog(loop.clock(), Acceptor::warn);
        this.descriptorLog = new RateLimitedLog(loop.clock(), Acceptor::warn);
    }

    /// Begins to accept.
    public void start() throws IOException {
        isEnabled = true;
        reserve.acquire();
        loop.poller().add(listener, Poller.READ, this::ready);
    }

    /// Stops accepting: newcomers wait in the kernel's backlog.
    public void pause() {
        isEnabled = false;
        loop.poller().setInterest(listener, Poller.NONE);
    }

    /// Accepts again.
    public void resume() {
        isEnabled = true;
        if (!isResting && !isClosed) {
            loop.poller().setInterest(listener, Poller.READ);
        }
    }

    /// Has newcomers wait in the backlog for at most 16 ms, a tick of the loop's timers, and be
    /// taken in together: a loop that is woken for each of many whom it can only refuse costs those
    /// who compute more than the refusals do. From any thread.
    public void setBatching(boolean isGathering) {
        this.isBatching = isGathering;
    }

    /// Whether the last turn that accepted left off before nobody waited any more. From any thread.
    public boolean hasBacklog() {
        return hasBacklog;
    }

    /// Stops accepting for good. The listener itself is closed by whoever opened it.
    public void close() {
        isClosed = true;
        pause();
        loop.timers().cancel(restTimer);
        reserve.release();
        loop.poller().remove(listener);
    }

    /// Takes in those who wait in the backlog of a listener that is given up: they were told that
    /// they are connected, and would be reset with it. By then it is closed already, here.
    public void acceptBacklog() {
        try {
            for (int i = 0; i < BACKLOG_MAX; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    return;
                }
                // Each in a turn of its own: its request may run here, and lose this thread the
                // loop.
                loop.execute(() -> open(socket));
            }
        } catch (IOException e) {
            warn("who waited was not taken in: " + e.getMessage());
        }
    }

    private void ready(int operations) {
        reserve.acquire(); // before the next newcomer, if it was lost to somebody
        try {
            // A newcomer's first request may run here, and lose this thread the loop.
            for (int i = 0; i < ACCEPT_BUDGET && loop.isHeld() && isEnabled && !isResting; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    backlogEmpty();
                    return;
                }
                hasRested = false;
                open(socket);
            }
            hasBacklog = true;
        } catch (OutOfDescriptorsException e) {
            outOfDescriptors(e);
        } catch (IOException e) {
            warn("accepting a connection failed: " + e.getMessage());
        }
    }

    private void backlogEmpty() {
        hasBacklog = false;
        if (isBatching) {
            restTimer(1); // until the tick's end
        }
    }

    private void open(Socket socket) {
        if (loop.connectionCount() >= connectionsMax && loop.evict(1) == 0) {
            fullLog.log("all " + connectionsMax + " connections of a loop have work");
            reject(socket);
        } else {
            loop.addConnection(socket, protocols);
        }
    }

    /// Closes a newcomer that cannot be served, since every connection has work. It is told so if
    /// it takes that at once.
    private void reject(Socket socket) {
        byte[] answer = protocols.overloadResponse();
        if (answer.length > 0) {
            try {
                IoBuffer buffer = loop.input();
                buffer.bytes().clear();
                socket.read(buffer); // unread input would reset it, and the answer be lost
                buffer.bytes().clear().put(answer).flip();
                socket.write(buffer);
            } catch (IOException e) {
                // It has gone by itself.
            }
        }
        socket.close();
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

    /// The first line takes a descriptor, perhaps; while the log is at it, a worker's file may get
    /// the one kept back, so it is not risked for every line.
    private void logOutOfDescriptors(String line) {
        if (hasRested) {
            descriptorLog.log(line);
            return;
        }
        reserve.release();
        descriptorLog.log(line);
        reserve.acquire();
    }

    /// It has not passed, so those who wait would do so for as long as the connections that have
    /// work: the descriptor kept back is enough to tell them, one after the other.
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
            // Somebody else has taken it. There is another rest, and another try.
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
