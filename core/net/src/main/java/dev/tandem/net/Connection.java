package dev.tandem.net;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A connection and its ownership. One owner at a time: the loop while the connection is idle, its
/// input is incomplete or output waits for the peer; one worker while one of its requests runs.
///
/// ```
///            handOver()                    await()
///   LOOP --------------> WORKER ---------------------------+
///    ^  cancelHandOver()   |  event: socket is disarmed     v
///    +---------------------+------> WORKER_DISARMED <-- WAITING
///    +----------- RETURNING <-------------+  event, or time-out
///   close() from any of them by its owner ---> CLOSED
/// ```
///
/// A worker that stops using the connection without returning it to the loop may have it watched:
/// the protocol is then notified of the next event, once, and the ownership does not change.
///
/// The socket stays armed for reading while it is handed over, because most requests are complete
/// before the next input arrives: this saves two system calls per request. The first event that the
/// loop cannot handle disarms it; only then does the return of the connection re-arm it, and before
/// the loop has it: else the worker's interest could replace one that the loop has set since. An
/// event that comes in between disarms it once more, and the loop arms it when it has taken the
/// connection: reported again and again, it would take the worker's processor from it.
public final class Connection implements Poller.ReadinessListener {
    private static final int LOOP = 0;
    private static final int WORKER = 1;
    private static final int WORKER_DISARMED = 2;
    private static final int WAITING = 3;
    private static final int CLOSED = 4;
    private static final int WATCHED = 5;
    private static final int RETURNING = 6;
    private static final int RETURNING_DISARMED = 7;

    // Made before they are needed, which may be when there is no memory.
    private static final Consumer<Protocol> EXPIRED = Protocol::expired;
    private static final Consumer<Protocol> EVICTED = Protocol::evicted;
    private static final Consumer<Protocol> ANNOUNCE_END = Protocol::announceEnd;
    private static final Consumer<Protocol> STOPPING = Protocol::stopping;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Connection.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The interval at which a deadline that passed while a worker owned the connection is checked
    /// again: 100 ms.
    private static final long BUSY_DEADLINE_NANOS = 100_000_000;

    private final Socket socket;
    private final Loop loop;

    /// Accessed by the owner.
    private Protocol protocol;

    @SuppressWarnings("unused") // by STATE
    private volatile int state;

    /// Whether the socket is registered with the poller; accessed by the owner.
    private boolean isAdded;

    /// The operations that the worker waits for; written before the state becomes WAITING.
    private int awaited;

    private volatile @Nullable Thread waiter;

    /// Whether the worker that owns the connection must stop waiting for the peer.
    private volatile boolean isWaitCancelled;

    /// Whether output waits for the peer, so that the interest is in writing; accessed by the loop.
    private boolean isWriting;

    /// Whether input is reported, too, while output waits for the peer; accessed by the loop.
    private boolean isReadingToo;

    /// Whether its end would make a part look complete; accessed by the owner.
    private boolean isReset;

    /// Set while a deadline is pending; accessed by the loop.
    private TimingWheel.@Nullable Deadline deadline;

    /// Links of the loop's list of connections, the longest idle first.
    @Nullable Connection older;

    @Nullable Connection younger;

    /// The unit of [#used]: 17 ms, so that an int has more than a year of them. With it the object
    /// is as large as without; with a long it would not be.
    private static final int USED_SHIFT = 24;

    /// When it was last used, by the loop's clock: the time of the last event or hand-over, or of
    /// the end of a request since. Written by the owner.
    private int used;

    /// Link of the stack of connections that workers closed.
    @Nullable Connection nextClosed;

    Connection(Socket socket, Loop loop, Protocol.Factory protocols) {
        this.socket = protocols.socket(socket);
        this.loop = loop;
        this.protocol = firstProtocol(protocols);
    }

    /// Closes the socket if there is no memory for it: a wrapper has counted itself as open.
    private Protocol firstProtocol(Protocol.Factory protocols) {
        try {
            return protocols.protocol(this);
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    public Socket socket() {
        return socket;
    }

    public Loop loop() {
        return loop;
    }

    /// Returns whether the loop owns the connection. Called by the loop, for which it stays so
    /// until it hands the connection over.
    public boolean isOwnedByLoop() {
        return state == LOOP;
    }

    /// Returns the present protocol.
    public Protocol protocol() {
        return protocol;
    }

    /// Switches to another protocol, for example a negotiated one. Called by the owner.
    public void setProtocol(Protocol next) {
        protocol = next;
    }

    public boolean isClosed() {
        return state == CLOSED;
    }

    // ---- Called by the loop.

    /// Reads for the first time: the request has often arrived with the connection.
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
            case RETURNING -> disarm();
            default -> {
                // Closed, or disarmed while the event was already pending. Disarmed once more, a
                // socket that the peer has reset would be reported once more, without end.
            }
        }
    }

    private void readyForLoop(int operations) {
        loop.markUsed(this);
        boolean isRead = !isWriting || isReadingToo && (operations & Poller.READ) != 0;
        if (isWriting && (operations & Poller.WRITE) != 0) {
            protocol.writable();
        }
        if (isRead && state == LOOP) {
            protocol.readable();
        }
    }

    /// Disarms the socket, whose event is not for the loop: it would be reported again and again.
    private void disarm() {
        loop.poller().setInterest(socket.pollable(), Poller.NONE);
        if (STATE.compareAndSet(this, WORKER, WORKER_DISARMED)) {
            return;
        }
        // The worker changed the state meanwhile and relies on the socket being armed for it; if it
        // changes the state again while this arms the socket, the socket must not stay armed for
        // the previous state.
        int armed = CLOSED;
        for (int now = state; now != armed; now = state) {
            armed = now;
            if (now == LOOP) {
                loop.poller().setInterest(socket.pollable(), Poller.READ);
            } else if (now == RETURNING) {
                STATE.compareAndSet(this, RETURNING, RETURNING_DISARMED); // else the loop's
            } else if (now == WAITING || now == WATCHED) {
                loop.poller().setInterest(socket.pollable(), awaited | Poller.ONCE);
            }
        }
    }

    /// Ends the current wait of the worker that owns the connection, or its next one. May be called
    /// from any thread.
    public void cancelWait() {
        isWaitCancelled = true;
        LockSupport.unpark(waiter);
    }

    /// Returns whether waiting for the peer is cancelled.
    public boolean isWaitCancelled() {
        return isWaitCancelled;
    }

    /// Ends the wait of the worker that owns the connection, as an event would. Called by the loop.
    ///
    /// @return false if it does not wait at this moment
    public boolean wake() {
        boolean isWaiting = STATE.compareAndSet(this, WAITING, WORKER_DISARMED);
        if (isWaiting) {
            LockSupport.unpark(waiter);
        }
        return isWaiting;
    }

    /// Waits for more input; arms the socket if necessary. Called by the loop.
    public void awaitInput() throws IOException {
        arm(Poller.READ);
        isWriting = false;
        isReadingToo = false;
        if (socket.hasInput()) {
            scheduleRead();
        }
    }

    /// Lets the protocol read in the next iteration of the loop, even without an event. Called by
    /// the loop.
    public void scheduleRead() {
        loop.execute(this::readAgain);
    }

    private void readAgain() {
        if (state == LOOP && (!isWriting || isReadingToo)) {
            protocol.readable();
        }
    }

    /// Waits until the peer accepts more output. Called by the loop.
    public void awaitOutput() throws IOException {
        isWriting = true;
        isReadingToo = false;
        arm(Poller.WRITE);
    }

    /// Waits until the peer accepts more output, and for more input meanwhile: for protocols whose
    /// peer may be unable to accept output until it was read from. Called by the loop.
    public void awaitInputAndOutput() throws IOException {
        isWriting = true;
        isReadingToo = true;
        arm(Poller.READ | Poller.WRITE);
        if (socket.hasInput()) {
            scheduleRead();
        }
    }

    /// Waits for nothing until the next call of one of the methods above: neither input nor output
    /// is reported, except that the connection has broken, which may be reported as readiness to
    /// write. Called by the loop.
    public void awaitNothing() throws IOException {
        isWriting = true; // so that the next interest is set unconditionally
        isReadingToo = false;
        arm(Poller.NONE);
    }

    private void arm(int interest) throws IOException {
        if (!isAdded) {
            isAdded = true;
            loop.poller().add(socket.pollable(), interest, this);
        } else if (interest != Poller.READ || isWriting) {
            loop.poller().setInterest(socket.pollable(), interest);
        }
        requireLoop();
    }

    /// After its end the loop reports nothing more: what waited for it would keep its descriptor.
    private void requireLoop() throws IOException {
        if (loop.isEnded()) {
            throw new IOException("the event loop has ended");
        }
    }

    /// Sets or moves the deadline of the connection; [Protocol#expired()] is called when it has
    /// passed. Called by the loop.
    public void setDeadline(long nanos) {
        TimingWheel.Deadline d = deadline;
        if (d == null) {
            d = new TimingWheel.Deadline(this::expire);
            deadline = d;
        }
        loop.timers().schedule(d, nanos);
    }

    /// Cancels the deadline. Called by the loop.
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
            try {
                step(EXPIRED);
            } catch (Throwable e) {
                close(); // it has no deadline any more
                throw e;
            }
        } else if (passed != null && state != CLOSED) {
            // A worker owns the connection: the protocol is notified when the loop owns it again.
            loop.timers().schedule(passed, loop.nowNanos() + BUSY_DEADLINE_NANOS);
        }
    }

    /// Hands the connection over to a worker. Called by the loop, which must not use the connection
    /// afterwards.
    public void handOver() {
        loop.markUsed(this);
        boolean isArmedForInput = isAdded && !isWriting;
        if (isAdded && isWriting) {
            loop.poller().setInterest(socket.pollable(), Poller.NONE);
        }
        isWriting = false;
        isReadingToo = false;
        STATE.setRelease(this, isArmedForInput ? WORKER : WORKER_DISARMED);
    }

    /// Takes over a connection that a worker passed to the loop by [Loop#execute], because the peer
    /// does not yet accept output, or the input is incomplete. Called by the loop.
    ///
    /// @return false if the loop has ended: then the connection is closed
    public boolean takeFromWorker() {
        if (loop.isEnded()) {
            close();
            return false;
        }
        take();
        return true;
    }

    private void takeReturned() {
        if (!isClosed() && takeFromWorker()) {
            try {
                awaitInput();
            } catch (IOException e) {
                close();
            }
        }
    }

    private void take() {
        STATE.setVolatile(this, LOOP);
        isWriting = true; // so that the next interest is set unconditionally
        isReadingToo = false;
    }

    /// Reverts a hand-over that no worker has received. Called by the loop.
    public void cancelHandOver() {
        if (!STATE.compareAndSet(this, WORKER, LOOP)) {
            take();
        }
    }

    // ---- Called by the worker.

    /// Returns an idle connection to its loop. The caller must not use it afterwards.
    public void returnToLoop() throws IOException {
        boolean isReadAgain = socket.hasInput();
        passBack();
        if (loop.isEnded()) {
            closeIfOwnedByLoop(); // perhaps it has closed all that it owned before it had this one
        } else if (isReadAgain) {
            loop.execute(this::readAgain);
        }
    }

    private void passBack() throws IOException {
        if (STATE.compareAndSet(this, WORKER, LOOP)) {
            return;
        }
        // Armed before the loop has it, which may set another interest at once, or close it: then
        // another socket may have its number.
        STATE.setVolatile(this, RETURNING);
        if (isAdded) {
            loop.poller().setInterest(socket.pollable(), Poller.READ);
        } else {
            loop.poller().add(socket.pollable(), Poller.READ, this);
            isAdded = true;
        }
        if (!STATE.compareAndSet(this, RETURNING, LOOP)) {
            loop.execute(this::takeReturned);
        }
    }

    /// Waits until input can be read, or the peer has disconnected. Called by the worker.
    ///
    /// @param nanos the maximum time
    /// @throws TimeoutIOException if the time passed without an event, or [#cancelWait()] was
    ///     called
    public void awaitInput(long nanos) throws IOException {
        if (socket.hasInput()) {
            return;
        }
        await(Poller.READ, loop.clock().nanos() + nanos);
    }

    /// Waits until the peer accepts output again, or has disconnected. Called by the worker.
    ///
    /// @param nanos the maximum time
    /// @throws TimeoutIOException if the time passed without an event, or [#cancelWait()] was
    ///     called
    public void awaitOutput(long nanos) throws IOException {
        await(Poller.WRITE, loop.clock().nanos() + nanos);
    }

    /// Waits until input can be read, the peer accepts output again, or has disconnected. Called by
    /// the worker.
    ///
    /// @param nanos the maximum time
    /// @throws TimeoutIOException as [#awaitInput(long)]
    public void awaitInputOrOutput(long nanos) throws IOException {
        if (!socket.hasInput()) {
            await(Poller.READ | Poller.WRITE, loop.clock().nanos() + nanos);
        }
    }

    /// Notifies [Protocol#watchedEvent] of the next event, once, while the connection stays handed
    /// over. Until then it may be called again for other operations, and [#awaitInput(long)]
    /// cancels it. Called by the owner.
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
        requireLoop();
    }

    /// Must be called before waiting for the peer by means other than this class: another thread
    /// takes over the loop if the current one holds it.
    ///
    /// @throws TimeoutIOException if no other thread can take over
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
                // Armed for at most one event; a late event finds the socket disarmed.
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

    // ---- Called by the owner.

    /// Closes the connection. Called by its owner; the loop processes it in its next iteration. A
    /// thread that has given it back to the loop, and failed behind that, leaves it to the loop,
    /// which may use it at this moment.
    public void close() {
        if (state == LOOP && !loop.isHeld() && !loop.isEnded()) {
            loop.execute(this::closeIfOwnedByLoop);
            return;
        }
        int before = (int) STATE.getAndSet(this, CLOSED);
        if (before == CLOSED) {
            return;
        }
        // Each step whatever the others throw, such as for lack of memory: a connection that its
        // loop did not remove would count as open for ever.
        try {
            closeSocket();
        } finally {
            try {
                notifyClosed();
            } finally {
                loop.closed(this);
            }
        }
    }

    private void closeSocket() {
        if (isReset) {
            socket.abort();
        } else {
            socket.close();
        }
    }

    private void notifyClosed() {
        try {
            if (isAdded) {
                loop.poller().closed(socket.pollable());
            }
        } finally {
            protocol.closed();
        }
    }

    /// Sets whether closing resets the connection: the peer takes the stream's end for the end of
    /// what is being sent, which is not complete yet. Called by the owner.
    public void resetWhenClosed(boolean isReset) {
        this.isReset = isReset;
    }

    /// Closes the connection if the current thread has the loop, or the loop has ended. Else does
    /// nothing: behind a handler that ran in place and was slow, another thread has the loop, and
    /// perhaps a third one the connection.
    public void closeIfLoopIsHeld() {
        if (loop.isHeld() || loop.isEnded()) {
            close();
        }
    }

    /// Closes the connection unless a worker owns it.
    void closeIfOwnedByLoop() {
        if (state == LOOP) {
            close();
        }
    }

    /// Notes when a request has ended. Called by the owner; a stream may call it without being
    /// that: of two times that are written at once either will do.
    public void usedAt(long nanos) {
        used = (int) (nanos >> USED_SHIFT);
    }

    /// Returns whether it was last used so long ago; not before, and some 30 ms later at most.
    ///
    /// @param nanos at most a day
    boolean isUnusedFor(long nanos, long nowNanos) {
        return (int) (nowNanos >> USED_SHIFT) - used > (nanos >> USED_SHIFT) + 1;
    }

    boolean isIdle() {
        return state == LOOP && protocol.isIdle();
    }

    boolean isAwaitingRequest() {
        return state == LOOP && protocol.isAwaitingRequest();
    }

    void evict() {
        cancelDeadline();
        try {
            step(EVICTED);
        } finally {
            close();
        }
    }

    /// Has the protocol do something as one connection of many in the same task: what it leaves in
    /// the loop's output must not reach the client of the next.
    private void step(Consumer<Protocol> action) {
        try {
            action.accept(protocol);
        } finally {
            loop.requireNothingLeft();
        }
    }

    /// Cancels the deadline of a closed connection. Called by the loop.
    void afterClose() {
        cancelDeadline();
    }

    /// See [Protocol#announceEnd()]. Called by the loop.
    void announceEnd() {
        if (state == LOOP) {
            step(ANNOUNCE_END);
        }
    }

    /// Notifies the protocol that the server is stopping. Called by the loop.
    void stopping() {
        if (state == LOOP) {
            step(STOPPING);
        }
    }
}
