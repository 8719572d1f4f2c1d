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

    /// How many of those who wait are taken in when a listener is given up: 1,024, as many as its
    /// backlog has by default.
    private static final int WAITING_MAX = 1024;

    /// How long accepting rests when descriptors run out and nothing was idle.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final Listener listener;
    private final Protocol.Factory protocols;
    private final int connectionsMax;
    private final TimingWheel.Deadline rest;
    private final Reserve reserve = new Reserve();
    private final SparseLog full;
    private final SparseLog starved;
    private boolean isWanted;
    private boolean isResting;

    /// Whether there was no descriptor the last time either.
    private boolean hasRested;

    /// Whether those who come are to wait for each other.
    private volatile boolean isGathering;

    private boolean isClosed;

    /// Read by whoever asks.
    private volatile boolean isBehind;

    /// @param connectionsMax how many connections this loop holds at most; beyond it, each newcomer
    ///     costs the longest idle one its place
    public Acceptor(Loop loop, Listener listener, Protocol.Factory protocols, int connectionsMax) {
        this.loop = loop;
        this.listener = listener;
        this.protocols = protocols;
        this.connectionsMax = connectionsMax;
        this.rest = new TimingWheel.Deadline(this::rested);
        this.full = new SparseLog(loop.clock(), Acceptor::warn);
        this.starved = new SparseLog(loop.clock(), Acceptor::warn);
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

    /// Has newcomers wait in the backlog for at most 16 ms, a tick of the loop's timers, and be
    /// taken in together: a loop that is woken for each of many whom it can only refuse costs those
    /// who compute more than the refusals do. From any thread.
    public void gather(boolean isGathering) {
        this.isGathering = isGathering;
    }

    /// Whether the last turn that accepted left off before nobody waited any more. From any thread.
    public boolean isBehind() {
        return isBehind;
    }

    /// Stops accepting for good. The listener itself is closed by whoever opened it.
    public void close() {
        isClosed = true;
        pause();
        loop.timers().cancel(rest);
        reserve.release();
        loop.poller().remove(listener);
    }

    /// Takes in those who wait in the backlog of a listener that is given up: they were told that
    /// they are connected, and would be reset with it. By then it is closed already, here.
    public void takeWaiting() {
        try {
            for (int i = 0; i < WAITING_MAX; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    return;
                }
                // Each in a turn of its own: its request may run here, and lose this thread the
                // loop.
                loop.execute(() -> takeIn(socket));
            }
        } catch (IOException e) {
            warn("who waited was not taken in: " + e.getMessage());
        }
    }

    private void ready(int operations) {
        reserve.hold(); // before the next newcomer, if it was lost to somebody
        try {
            // A newcomer's first request may run here, and lose this thread the loop.
            for (int i = 0; i < BUDGET && loop.isHeld() && isWanted && !isResting; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    allTaken();
                    return;
                }
                hasRested = false;
                takeIn(socket);
            }
            isBehind = true;
        } catch (OutOfDescriptorsException e) {
            outOfDescriptors(e);
        } catch (IOException e) {
            warn("accepting a connection failed: " + e.getMessage());
        }
    }

    private void allTaken() {
        isBehind = false;
        if (isGathering) {
            rest(1); // until the tick's end
        }
    }

    private void takeIn(Socket socket) {
        if (loop.connectionCount() >= connectionsMax && loop.evict(1) == 0) {
            full.say("all " + connectionsMax + " connections of a loop have work");
            turnAway(socket);
        } else {
            loop.accepted(socket, protocols);
        }
    }

    /// Closes a newcomer that cannot be served, since every connection has work. It is told so if
    /// it takes that at once.
    private void turnAway(Socket socket) {
        byte[] answer = protocols.noRoom();
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
        sayStarved(e.getMessage() + ": closed " + evicted + " idle connections");
        if (evicted == 0) {
            if (hasRested) {
                turnAllAway();
            }
            hasRested = true;
            rest(REST_NANOS);
        }
    }

    private void rest(long nanos) {
        isResting = true;
        loop.poller().interest(listener, Poller.NONE);
        loop.timers().schedule(rest, loop.nowNanos() + nanos);
    }

    /// The first line takes a descriptor, perhaps; while the log is at it, a worker's file may get
    /// the one kept back, so it is not risked for every line.
    private void sayStarved(String line) {
        if (hasRested) {
            starved.say(line);
            return;
        }
        reserve.release();
        starved.say(line);
        reserve.hold();
    }

    /// It has not passed, so those who wait would do so for as long as the connections that have
    /// work: the descriptor kept back is enough to tell them, one after the other.
    private void turnAllAway() {
        reserve.release();
        try {
            for (int i = 0; i < BUDGET; i++) {
                Socket socket = listener.accept();
                if (socket == null) {
                    break;
                }
                turnAway(socket);
            }
        } catch (IOException e) {
            // Somebody else has taken it. There is another rest, and another try.
        }
        reserve.hold();
    }

    private void rested() {
        isResting = false;
        if (isWanted) {
            resume();
        }
    }
}
