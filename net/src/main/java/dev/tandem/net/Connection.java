package dev.tandem.net;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A connection and who owns it. One owner at a time: the loop while it is idle, its input is
/// incomplete or output waits for the peer; one worker while a request of its runs.
///
/// ```
///             lend()                    await()
///   LOOP ------------> WORKER --------------------------+
///    ^  takeBack()       |  event while lent: disarmed  v
///    +-------------------+-----> WORKER_DISARMED <-- WAITING
///    +----------------------------------+  event, or time is over
///   close() from any of them by its owner ---> CLOSED
/// ```
///
/// The socket stays armed for reading while it is lent, since most requests are answered before the
/// next bytes come: that saves two system calls a request. The first event that the loop cannot use
/// disarms it; whoever gives the connection back re-arms it then, and only then.
public final class Connection implements Poller.Readiness {
    private static final int LOOP = 0;
    private static final int WORKER = 1;
    private static final int WORKER_DISARMED = 2;
    private static final int WAITING = 3;
    private static final int CLOSED = 4;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Connection.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Socket socket;
    private final Loop loop;
    private final Protocol protocol;

    @SuppressWarnings("unused") // by STATE
    private volatile int state;

    /// Whether the poller knows the socket; the owner's.
    private boolean isAdded;

    /// What the waiting worker waits for; written before the state becomes WAITING.
    private int awaited;

    private @Nullable Thread waiter;

    /// The loop's: whether output waits for the peer, so that the interest is in writing.
    private boolean isWriting;

    /// The loop's: set while a deadline runs.
    private TimingWheel.@Nullable Deadline deadline;

    /// The loop's list of connections, the longest idle first.
    @Nullable Connection older;

    @Nullable Connection younger;

    /// The stack of connections that workers closed.
    @Nullable Connection nextClosed;

    Connection(Socket socket, Loop loop, Protocol.Factory protocols) {
        this.socket = socket;
        this.loop = loop;
        this.protocol = protocols.protocol(this);
    }

    public Socket socket() {
        return socket;
    }

    public Loop loop() {
        return loop;
    }

    public boolean isClosed() {
        return state == CLOSED;
    }

    // ---- The loop's side.

    /// A new connection's first turn: its request has often come with it.
    void begin() {
        protocol.readable();
    }

    @Override
    public void ready(int operations) {
        int now = state;
        switch (now) {
            case LOOP -> readyForLoop(operations);
            case WORKER -> disarm();
            case WAITING -> wake();
            default -> {
                // Closed, or disarmed with the event already on its way.
            }
        }
    }

    private void readyForLoop(int operations) {
        loop.used(this);
        if (!isWriting) {
            protocol.readable();
        } else if ((operations & Poller.WRITE) != 0) {
            protocol.writable();
        }
    }

    private void disarm() {
        loop.poller().interest(socket, Poller.NONE);
        if (STATE.compareAndSet(this, WORKER, WORKER_DISARMED)) {
            return;
        }
        // The worker did something meanwhile and trusts that the socket is armed for it; if it does
        // more while this arms the socket, it must not be left armed for what was before.
        int armed = CLOSED;
        for (int now = state; now != armed; now = state) {
            armed = now;
            if (now == LOOP) {
                loop.poller().interest(socket, Poller.READ);
            } else if (now == WAITING) {
                loop.poller().interest(socket, awaited | Poller.ONCE);
            }
        }
    }

    private void wake() {
        if (STATE.compareAndSet(this, WAITING, WORKER_DISARMED)) {
            LockSupport.unpark(waiter);
        }
    }

    /// Waits for more input; arms the socket if that is not done yet. The loop's.
    public void awaitInput() throws IOException {
        arm(Poller.READ);
        isWriting = false;
    }

    /// Waits until the peer takes more output. The loop's.
    public void awaitOutput() throws IOException {
        isWriting = true;
        arm(Poller.WRITE);
    }

    private void arm(int interest) throws IOException {
        if (!isAdded) {
            isAdded = true;
            loop.poller().add(socket, interest, this);
        } else if (interest == Poller.WRITE || isWriting) {
            loop.poller().interest(socket, interest);
        }
    }

    /// Sets or moves the connection's deadline; [Protocol#expired()] is called when it has passed.
    /// The loop's.
    public void expireAt(long nanos) {
        TimingWheel.Deadline d = deadline;
        if (d == null) {
            d = new TimingWheel.Deadline(this::expire);
            deadline = d;
        }
        loop.timers().schedule(d, nanos);
    }

    /// Takes the deadline back. The loop's.
    public void expireNever() {
        TimingWheel.Deadline d = deadline;
        if (d != null) {
            loop.timers().cancel(d);
            deadline = null;
        }
    }

    private void expire() {
        deadline = null;
        if (state == LOOP) {
            protocol.expired();
        }
    }

    /// Gives the connection to a worker. The loop's; it must not touch the connection afterwards.
    public void lend() {
        loop.used(this);
        boolean isArmedForInput = isAdded && !isWriting;
        if (isAdded && isWriting) {
            loop.poller().interest(socket, Poller.NONE);
        }
        isWriting = false;
        STATE.setRelease(this, isArmedForInput ? WORKER : WORKER_DISARMED);
    }

    /// The loop takes a connection that a worker passed to it by [Loop#execute]: for output that
    /// the peer does not take yet, or input that is incomplete.
    public void reclaim() {
        STATE.setVolatile(this, LOOP);
        isWriting = true; // so that any interest set next is really set
    }

    // ---- The worker's side.

    /// Gives the connection back to its loop, idle. It must not be touched afterwards.
    public void giveBack() throws IOException {
        if (STATE.compareAndSet(this, WORKER, LOOP)) {
            return;
        }
        boolean wasAdded = isAdded;
        isAdded = true;
        STATE.setVolatile(this, LOOP);
        if (wasAdded) {
            loop.poller().interest(socket, Poller.READ);
        } else {
            loop.poller().add(socket, Poller.READ, this);
        }
    }

    /// Reads at least one byte, waiting for it if need be. The worker's.
    ///
    /// @param deadlineNanos when to give up, by the loop's clock
    /// @return how many bytes, -1 at the stream's end
    /// @throws TimeoutIOException if nothing came in time
    public int read(IoBuffer to, long deadlineNanos) throws IOException {
        int count = socket.read(to);
        while (count == 0) {
            await(Poller.READ, deadlineNanos);
            count = socket.read(to);
        }
        return count;
    }

    /// Writes all of the buffer, waiting while the peer does not take it. The worker's.
    ///
    /// @param stallNanos how long the peer may take nothing
    /// @throws TimeoutIOException if it took nothing for that long
    public void write(IoBuffer from, long stallNanos) throws IOException {
        socket.write(from);
        while (from.bytes().hasRemaining()) {
            awaitOutput(stallNanos);
            socket.write(from);
        }
    }

    /// Waits until the peer takes output again. The worker's.
    ///
    /// @throws TimeoutIOException after `stallNanos`
    public void awaitOutput(long stallNanos) throws IOException {
        await(Poller.WRITE, loop.clock().nanos() + stallNanos);
    }

    private void await(int operations, long deadlineNanos) throws IOException {
        loop.baton().passOnBeforeBlocking();
        awaited = operations;
        waiter = Thread.currentThread();
        boolean wasAdded = isAdded;
        isAdded = true;
        STATE.setVolatile(this, WAITING);
        if (wasAdded) {
            loop.poller().interest(socket, operations | Poller.ONCE);
        } else {
            loop.poller().add(socket, operations | Poller.ONCE, this);
        }
        boolean isInterrupted = false;
        while (state == WAITING) {
            long left = deadlineNanos - loop.clock().nanos();
            if (left <= 0 || isInterrupted) {
                // Armed once at most; an event that still comes finds the socket disarmed.
                if (STATE.compareAndSet(this, WAITING, WORKER_DISARMED)) {
                    waiter = null;
                    throw new TimeoutIOException(isInterrupted ? "interrupted" : "timed out");
                }
                break;
            }
            LockSupport.parkNanos(this, left);
            isInterrupted = Thread.currentThread().isInterrupted();
        }
        waiter = null;
    }

    // ---- The owner's, whoever it is.

    /// Closes the connection. By its owner; the loop learns of it on its next turn.
    public void close() {
        int before = (int) STATE.getAndSet(this, CLOSED);
        if (before == CLOSED) {
            return;
        }
        socket.close();
        protocol.closed();
        loop.closed(this);
    }

    /// Closes the connection unless a worker has it.
    void closeIfLoops() {
        if (state == LOOP) {
            close();
        }
    }

    boolean isIdle() {
        return state == LOOP && protocol.isIdle();
    }

    void evict() {
        expireNever();
        close();
    }

    /// The loop's last word to a connection that has gone.
    void forget() {
        expireNever();
    }

    /// Told when the server begins to stop. The loop's.
    void stopping() {
        if (state == LOOP) {
            protocol.stopping();
        }
    }

    /// Writes what a gathering write did not take. The worker's.
    ///
    /// @param stallNanos how long the peer may take nothing
    public void write(IoBuffer first, ByteBuffer second, long stallNanos) throws IOException {
        socket.write(first, second);
        while (first.bytes().hasRemaining() || second.hasRemaining()) {
            awaitOutput(stallNanos);
            socket.write(first, second);
        }
    }
}
