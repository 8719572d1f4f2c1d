package dev.tandem.net;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
/// A worker that goes away without giving the connection back may have it watched: then the next
/// event is told to the protocol, once, and whose the connection is does not change.
///
/// The socket stays armed for reading while it is lent, since most requests are answered before the
/// next bytes come: that saves two system calls a request. The first event that the loop cannot use
/// disarms it; whoever gives the connection back re-arms it then, and only then.
public final class Connection implements Poller.ReadinessListener {
    private static final int LOOP = 0;
    private static final int WORKER = 1;
    private static final int WORKER_DISARMED = 2;
    private static final int WAITING = 3;
    private static final int CLOSED = 4;
    private static final int WATCHED = 5;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Connection.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// How soon a deadline is looked at again that passed while a worker had the connection: 100
    /// ms.
    private static final long BUSY_DEADLINE_NANOS = 100_000_000;

    private final Socket socket;
    private final Loop loop;

    /// The owner's.
    private Protocol protocol;

    @SuppressWarnings("unused") // by STATE
    private volatile int state;

    /// Whether the poller knows the socket; the owner's.
    private boolean isAdded;

    /// What the waiting worker waits for; written before the state becomes WAITING.
    private int awaited;

    private volatile @Nullable Thread waiter;

    /// Whether the worker that has the connection is to wait no more for the peer.
    private volatile boolean isWaitCancelled;

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
        this.socket = protocols.socket(socket);
        this.loop = loop;
        this.protocol = protocols.protocol(this);
    }

    public Socket socket() {
        return socket;
    }

    public Loop loop() {
        return loop;
    }

    /// Speaks something else from now on: what was agreed on, for example. The owner's.
    public void setProtocol(Protocol next) {
        protocol = next;
    }

    public boolean isClosed() {
        return state == CLOSED;
    }

    // ---- The loop's side.

    /// A new connection's first turn: its request has often come with it.
    void start() {
        protocol.readable();
    }

    @Override
    public void ready(int operations) {
        int now = state;
        switch (now) {
            case LOOP -> readyForLoop(operations);
            case WORKER -> {
                disarm();
                protocol.readableWhileHandedOver();
            }
            case WAITING -> wake();
            case WATCHED -> notice(operations);
            default -> {
                // Closed, or disarmed with the event already on its way.
            }
        }
    }

    private void readyForLoop(int operations) {
        loop.markUsed(this);
        if (!isWriting) {
            protocol.readable();
        } else if ((operations & Poller.WRITE) != 0) {
            protocol.writable();
        }
    }

    private void disarm() {
        loop.poller().setInterest(socket.pollable(), Poller.NONE);
        if (STATE.compareAndSet(this, WORKER, WORKER_DISARMED)) {
            return;
        }
        // The worker did something meanwhile and trusts that the socket is armed for it; if it does
        // more while this arms the socket, it must not be left armed for what was before.
        int armed = CLOSED;
        for (int now = state; now != armed; now = state) {
            armed = now;
            if (now == LOOP) {
                loop.poller().setInterest(socket.pollable(), Poller.READ);
            } else if (now == WAITING || now == WATCHED) {
                loop.poller().setInterest(socket.pollable(), awaited | Poller.ONCE);
            }
        }
    }

    /// Ends the wait of the worker that has the connection, or its next one. From any thread.
    public void cancelWait() {
        isWaitCancelled = true;
        LockSupport.unpark(waiter);
    }

    /// Whether who waits for the peer is to give up.
    public boolean isWaitCancelled() {
        return isWaitCancelled;
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
        if (socket.hasInput()) {
            scheduleRead();
        }
    }

    /// Has the protocol read on the loop's next turn, though the poller may have nothing to tell.
    /// The loop's.
    public void scheduleRead() {
        loop.execute(this::readAgain);
    }

    private void readAgain() {
        if (state == LOOP && !isWriting) {
            protocol.readable();
        }
    }

    /// Waits until the peer takes more output. The loop's.
    public void awaitOutput() throws IOException {
        isWriting = true;
        arm(Poller.WRITE);
    }

    private void arm(int interest) throws IOException {
        if (!isAdded) {
            isAdded = true;
            loop.poller().add(socket.pollable(), interest, this);
        } else if (interest == Poller.WRITE || isWriting) {
            loop.poller().setInterest(socket.pollable(), interest);
        }
    }

    /// Sets or moves the connection's deadline; [Protocol#expired()] is called when it has passed.
    /// The loop's.
    public void setDeadline(long nanos) {
        TimingWheel.Deadline d = deadline;
        if (d == null) {
            d = new TimingWheel.Deadline(this::expire);
            deadline = d;
        }
        loop.timers().schedule(d, nanos);
    }

    /// Takes the deadline back. The loop's.
    public void cancelDeadline() {
        TimingWheel.Deadline d = deadline;
        if (d != null) {
            loop.timers().cancel(d);
            deadline = null;
        }
    }

    private void expire() {
        TimingWheel.Deadline passed = deadline;
        if (state == LOOP) {
            deadline = null;
            protocol.expired();
        } else if (passed != null && state != CLOSED) {
            // A worker has the connection: it is told when the loop has it again.
            loop.timers().schedule(passed, loop.nowNanos() + BUSY_DEADLINE_NANOS);
        }
    }

    /// Gives the connection to a worker. The loop's; it must not touch the connection afterwards.
    public void handOver() {
        loop.markUsed(this);
        boolean isArmedForInput = isAdded && !isWriting;
        if (isAdded && isWriting) {
            loop.poller().setInterest(socket.pollable(), Poller.NONE);
        }
        isWriting = false;
        STATE.setRelease(this, isArmedForInput ? WORKER : WORKER_DISARMED);
    }

    /// The loop takes a connection that a worker passed to it by [Loop#execute]: for output that
    /// the peer does not take yet, or input that is incomplete.
    public void takeFromWorker() {
        STATE.setVolatile(this, LOOP);
        isWriting = true; // so that any interest set next is really set
    }

    /// The loop takes back what it has just lent and nobody has had.
    public void cancelHandOver() {
        if (!STATE.compareAndSet(this, WORKER, LOOP)) {
            takeFromWorker();
        }
    }

    // ---- The worker's side.

    /// Gives the connection back to its loop, idle. It must not be touched afterwards.
    public void returnToLoop() throws IOException {
        boolean isReadAgain = socket.hasInput();
        passBack();
        if (isReadAgain) {
            loop.execute(this::readAgain);
        }
    }

    private void passBack() throws IOException {
        if (STATE.compareAndSet(this, WORKER, LOOP)) {
            return;
        }
        boolean wasAdded = isAdded;
        isAdded = true;
        STATE.setVolatile(this, LOOP);
        if (wasAdded) {
            loop.poller().setInterest(socket.pollable(), Poller.READ);
        } else {
            loop.poller().add(socket.pollable(), Poller.READ, this);
        }
    }

    /// Waits until input may be read, or the peer has gone. The worker's.
    ///
    /// @param nanos how long at most
    /// @throws TimeoutIOException if it was in vain for that long, or was [#cancelWait()]
    public void awaitInput(long nanos) throws IOException {
        if (socket.hasInput()) {
            return;
        }
        await(Poller.READ, loop.clock().nanos() + nanos);
    }

    /// Waits until the peer takes output again, or has gone. The worker's.
    ///
    /// @param nanos how long at most
    /// @throws TimeoutIOException if it was in vain for that long, or was [#cancelWait()]
    public void awaitOutput(long nanos) throws IOException {
        await(Poller.WRITE, loop.clock().nanos() + nanos);
    }

    /// Has the next event told to [Protocol#watchedEvent], once, while the connection stays lent.
    /// Until then it may be called again, for other operations, and [#awaitInput(long)] ends it. By
    /// whoever has the connection.
    ///
    /// @param operations [Poller#READ], [Poller#WRITE] or both
    public void watchOnce(int operations) throws IOException {
        if (state == CLOSED) {
            return;
        }
        boolean isThere = (operations & Poller.READ) != 0 && socket.hasInput();
        awaited = operations;
        arm(WATCHED, operations);
        if (isThere) {
            loop.execute(() -> notice(Poller.READ));
        }
    }

    private void notice(int operations) {
        if (STATE.compareAndSet(this, WATCHED, WORKER_DISARMED)) {
            protocol.watchedEvent(operations);
        }
    }

    private void arm(int newState, int operations) throws IOException {
        boolean wasAdded = isAdded;
        isAdded = true;
        STATE.setVolatile(this, newState);
        if (wasAdded) {
            loop.poller().setInterest(socket.pollable(), operations | Poller.ONCE);
        } else {
            loop.poller().add(socket.pollable(), operations | Poller.ONCE, this);
        }
    }

    /// To be called by whoever waits for the peer by other means than this class's: another thread
    /// gets the loop, if this one has it.
    ///
    /// @throws TimeoutIOException if nobody else could have it
    public void beforeBlocking() throws TimeoutIOException {
        if (loop.isBlockingForbidden()) {
            throw new TimeoutIOException("the only thread of a loop may not wait");
        }
        loop.baton().handOverBeforeBlocking();
    }

    private void await(int operations, long deadlineNanos) throws IOException {
        beforeBlocking();
        awaited = operations;
        waiter = Thread.currentThread();
        arm(WAITING, operations);
        boolean isInterrupted = false;
        while (state == WAITING) {
            long left = deadlineNanos - loop.clock().nanos();
            if (left <= 0 || isInterrupted || isWaitCancelled) {
                // Armed once at most; an event that still comes finds the socket disarmed.
                if (STATE.compareAndSet(this, WAITING, WORKER_DISARMED)) {
                    waiter = null;
                    throw new TimeoutIOException(waitFailure(isInterrupted));
                }
                break;
            }
            LockSupport.parkNanos(this, left);
            isInterrupted = Thread.currentThread().isInterrupted();
        }
        waiter = null;
    }

    private String waitFailure(boolean isInterrupted) {
        if (isInterrupted) {
            return "interrupted";
        }
        return isWaitCancelled ? "cut" : "timed out";
    }

    // ---- The owner's, whoever it is.

    /// Closes the connection. By its owner; the loop learns of it on its next turn.
    public void close() {
        int before = (int) STATE.getAndSet(this, CLOSED);
        if (before == CLOSED) {
            return;
        }
        socket.close();
        if (isAdded) {
            loop.poller().closed(socket.pollable());
        }
        protocol.closed();
        loop.closed(this);
    }

    /// Closes the connection unless a worker has it.
    void closeIfOwnedByLoop() {
        if (state == LOOP) {
            close();
        }
    }

    boolean isIdle() {
        return state == LOOP && protocol.isIdle();
    }

    boolean isAwaitingRequest() {
        return state == LOOP && protocol.isAwaitingRequest();
    }

    void evict() {
        cancelDeadline();
        close();
    }

    /// The loop's last word to a connection that has gone.
    void afterClose() {
        cancelDeadline();
    }

    /// Told when the server begins to stop. The loop's.
    void stopping() {
        if (state == LOOP) {
            protocol.stopping();
        }
    }
}
