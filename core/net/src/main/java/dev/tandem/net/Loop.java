package dev.tandem.net;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// An event loop: waits for ready sockets, notifies their connections, fires deadlines, accepts
/// connections.
///
/// Methods are called by the loop's own thread unless specified otherwise.
public final class Loop implements AutoCloseable, Executor {
    /// The default size of the input buffer: 64 KiB.
    public static final int INPUT_SIZE = 65_536;

    /// Number of checks for idle connections in the time that one may be idle.
    private static final int IDLE_CHECKS = 8;

    private static final long IDLE_CHECK_NANOS = 100_000_000;

    /// 1 ms after an iteration that failed, so that a failure that lasts does not occupy a
    /// processor.
    private static final long PAUSE_NANOS = 1_000_000;

    /// 0.1 s between looks at all connections for idle ones.
    private static final long EVICTION_REST_NANOS = 100_000_000;

    /// One of 64 connections is closed at once for want of descriptors, if more are not asked for.
    private static final int EVICTED_SHARE = 64;

    /// 2 us for each connection that was looked at, which takes 20 to 100 ns.
    private static final long LOOK_REST_NANOS = 2_000;

    private final Poller poller;
    private final NanoClock clock;
    private final TimingWheel timers;
    private final IdleList connections = new IdleList();
    private final IoBuffer input;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Connection> closed = new AtomicReference<>();
    private final Baton baton = new Baton();
    private final Runnable dispatchNext;
    private final Runnable fireDeadlines;
    private volatile boolean isAsleep;
    private volatile boolean isStopped;
    private volatile boolean isEnded;

    /// Whether all connections that the loop had are closed.
    private volatile boolean isOver;
    private boolean isBlockingForbidden;

    /// Where connections gather output; null if they do not.
    private @Nullable IoBuffer output;

    /// 0: connections may be idle without limit.
    private long idleMaxNanos;

    /// Whether the loop has a task of [#evictSoon].
    private final AtomicBoolean isEvictionQueued = new AtomicBoolean();

    private long noEvictionBefore;

    private final TimingWheel.Deadline idleCheck = new TimingWheel.Deadline(this::closeIdle);
    private long nowNanos;

    public Loop(Poller poller, NanoClock clock) {
        this(poller, clock, INPUT_SIZE);
    }

    /// @param inputSize the size of the input buffer in bytes
    public Loop(Poller poller, NanoClock clock, int inputSize) {
        this.input = new IoBuffer(inputSize);
        this.poller = poller;
        this.clock = clock;
        this.nowNanos = clock.nanos();
        this.noEvictionBefore = nowNanos;
        this.timers = new TimingWheel(nowNanos);
        this.dispatchNext = poller::dispatchNext;
        this.fireDeadlines = () -> timers.advance(nowNanos);
    }

    /// Runs until [#stop()], or until another thread takes over the loop; see [LoopThreads].
    ///
    /// @return false if another thread has taken over the loop
    public boolean run() {
        try {
            while (!isStopped) {
                if (!runGuarded()) {
                    return false;
                }
            }
        } catch (IOException e) {
            Log.LOG.log(Level.ERROR, "an event loop ended: its poller failed", e);
        }
        close();
        return true;
    }

    /// Runs one iteration, and survives all but the failure of the poller: without memory, anything
    /// between two tasks may fail, too, and a loop that ended would leave all of its connections.
    private boolean runGuarded() throws IOException {
        try {
            return runOnce(-1);
        } catch (IOException e) {
            throw e;
        } catch (OutOfMemoryError e) {
            outOfMemory(e);
        } catch (Throwable e) {
            logFailure("an iteration of an event loop failed", e);
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
        return baton.isHeld();
    }

    /// Runs one iteration: waits at most `maxWaitNanos` (negative: without limit) for work, and
    /// performs it.
    ///
    /// @return false if another thread has taken over the loop
    public boolean runOnce(long maxWaitNanos) throws IOException {
        if (!poller.hasNext()) {
            // Checked here, because merely loading the event class initializes Flight Recorder.
            LoopWaitEvent event =
                    FlightRecorder.isInitialized() ? LoopWaitEvent.beginIfEnabled() : null;
            poller.poll(waitNanos(maxWaitNanos));
            if (event != null) {
                event.commit();
            }
        }
        isAsleep = false;
        nowNanos = clock.nanos();
        boolean isHeld = true;
        while (isHeld && poller.hasNext()) {
            isHeld = perform(dispatchNext);
        }
        if (isHeld) {
            isHeld = perform(fireDeadlines) && runTasks();
        }
        if (isHeld) {
            removeClosed();
        }
        return isHeld;
    }

    private long waitNanos(long maxWaitNanos) {
        isAsleep = true;
        if (!tasks.isEmpty()) {
            return 0;
        }
        if (timers.count() == 0) {
            return maxWaitNanos;
        }
        // Not from the start of the iteration, which may have been long.
        long sleep = timers.sleepNanos(clock.nanos());
        return maxWaitNanos < 0 ? sleep : Math.min(sleep, maxWaitNanos);
    }

    private boolean runTasks() {
        boolean isHeld = true;
        for (int i = tasks.size(); i > 0 && isHeld; i--) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            isHeld = perform(task);
        }
        return isHeld;
    }

    /// @return whether this thread still has the loop
    private boolean perform(Runnable task) {
        guarded(task);
        boolean isHeld = baton.isHeld();
        if (isHeld) {
            requireEmptyOutput();
        }
        return isHeld;
    }

    /// For tasks of several connections: called between them.
    void requireNothingLeft() {
        if (baton.isHeld()) {
            requireEmptyOutput();
        }
    }

    /// What a connection has left in the buffer is dropped: it must never reach another's client.
    private void requireEmptyOutput() {
        int left = dropOutput();
        if (left >= 0) {
            throw new IllegalStateException(
                    "a connection has left "
                            + left
                            + " bytes of output to the next one: they are dropped");
        }
    }

    /// Makes the buffer as the next connection needs it: empty, and whole.
    ///
    /// @return how many bytes were dropped; -1 if it was so
    private int dropOutput() {
        IoBuffer gathered = output;
        if (gathered == null) {
            return -1;
        }
        ByteBuffer bytes = gathered.bytes();
        int left = bytes.position();
        if (left == 0 && bytes.limit() == bytes.capacity()) {
            return -1;
        }
        bytes.clear();
        return left;
    }

    /// Isolates failures: the failure of one connection must not affect others. Code of
    /// applications may throw anything: other languages than Java check no exceptions.
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (OutOfMemoryError e) {
            outOfMemory(e);
        } catch (Throwable e) {
            logFailure("a task of an event loop failed", e);
        }
    }

    /// Logs, if memory and descriptors permit; the loop continues in any case.
    static void logFailure(String what, @Nullable Throwable why) {
        try {
            Log.LOG.log(Level.ERROR, what, why);
        } catch (Throwable e) {
            // The failure cannot be reported.
        }
    }

    /// Queues a task for this loop. May be called from any thread. If this fails, as without
    /// memory, the task is not run. Once the loop has closed its connections, the caller runs it;
    /// not before, since tasks of several connections use what is the loop's, as its buffer.
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (isAsleep) {
            wakeFor(task);
        } else if (isOver && tasks.remove(task)) {
            guarded(task); // finds its connection closed, or closes it
        }
    }

    private void wakeFor(Runnable task) {
        try {
            poller.wakeup();
        } catch (Throwable e) {
            if (tasks.remove(task)) {
                throw e;
            } // else the loop has woken by itself, and has taken it
        }
    }

    // ---- Connections.

    /// Adds a new connection and starts it.
    void addConnection(Socket socket, Protocol.Factory protocols) {
        Connection connection = connection(socket, protocols);
        connections.add(connection);
        connection.usedAt(nowNanos);
        if (idleMaxNanos > 0 && !idleCheck.isScheduled()) {
            timers.schedule(idleCheck, nowNanos + idleMaxNanos);
        }
        try {
            connection.start();
        } catch (OutOfMemoryError e) {
            if (baton.isHeld()) {
                connection.close();
            }
            outOfMemory(e);
        } finally {
            requireNothingLeft();
        }
    }

    /// A socket that no connection closes would stay open for ever, and its client would wait.
    private Connection connection(Socket socket, Protocol.Factory protocols) {
        try {
            return new Connection(socket, this, protocols);
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    /// Adds an outgoing connection. The caller then waits for its output: it is connected, or has
    /// failed, when the socket is ready for it ([Network#connect]).
    public Connection addOutgoing(Socket socket, Protocol.Factory protocols) {
        var connection = new Connection(socket, this, protocols);
        connections.add(connection);
        connection.usedAt(nowNanos);
        return connection;
    }

    /// Marks a connection as the most recently used.
    void markUsed(Connection connection) {
        connections.moveToYoungest(connection);
        connection.usedAt(nowNanos);
    }

    /// Closes connections that have been idle for a time; by default none. Called before the loop
    /// runs.
    ///
    /// @param nanos 0 for no limit
    public void closeIdleAfter(long nanos) {
        idleMaxNanos = nanos;
    }

    /// Closes what has been idle for too long, and checks again while there are connections: eight
    /// times in the maximum time, but not more often than each tenth of a second.
    private void closeIdle() {
        connections.closeIdleFor(idleMaxNanos, nowNanos);
        removeClosed();
        if (connections.size() > 0) {
            long interval = Math.max(idleMaxNanos / IDLE_CHECKS, IDLE_CHECK_NANOS);
            timers.schedule(idleCheck, nowNanos + interval);
        }
    }

    /// Queues a closed connection for removal. May be called from any thread.
    void closed(Connection connection) {
        Connection head;
        do {
            head = closed.get();
            connection.nextClosed = head;
        } while (!closed.compareAndSet(head, connection));
    }

    private void removeClosed() {
        if (closed.get() == null) {
            return;
        }
        Connection c = closed.getAndSet(null);
        while (c != null) {
            Connection next = c.nextClosed;
            c.nextClosed = null;
            connections.remove(c);
            c.afterClose();
            forget(c);
            c = next;
        }
    }

    /// A failure must not keep those behind it on the list of open connections.
    private void forget(Connection c) {
        try {
            poller.remove(c.socket().pollable());
        } catch (Throwable e) {
            logFailure("a closed connection stays with its poller", e);
        }
    }

    /// Closes up to `count` connections, the longest idle first, and skips busy ones. If none is
    /// idle, closes one that has not completed its first request.
    ///
    /// @return the number of closed connections
    public int evict(int count) {
        int evicted = connections.evict(count);
        removeClosed();
        return evicted;
    }

    /// Has the loop close idle connections for want of descriptors: once for all who ask until it
    /// does, and not for a tenth of a second after it found too few, or for some milliseconds after
    /// it has looked at thousands. May be called from any thread.
    ///
    /// @param least how many are needed; of many connections more are closed, since each look at
    ///     thousands of busy ones takes its time
    public void evictSoon(int least) {
        if (isEvictionQueued.compareAndSet(false, true)) {
            boolean isQueued = false;
            try {
                execute(() -> evictQueued(least));
                isQueued = true;
            } finally {
                if (!isQueued) {
                    isEvictionQueued.set(false);
                }
            }
        }
    }

    private void evictQueued(int least) {
        isEvictionQueued.set(false);
        if (nowNanos - noEvictionBefore < 0) {
            return;
        }
        int share = Math.min(connections.size() / EVICTED_SHARE, Acceptor.EVICTED_MAX);
        int count = Math.max(least, share);
        if (evict(count) < count) {
            noEvictionBefore = nowNanos + EVICTION_REST_NANOS; // it has looked at all
        } else if (connections.looked() > IdleList.SKIPPED_MAX) {
            noEvictionBefore = nowNanos + connections.looked() * LOOK_REST_NANOS;
        }
    }

    /// Closes one connection as [#evict] does, for a new one at the limit: looks at some only, and
    /// busy ones of these count as used now.
    ///
    /// @return whether one was closed
    boolean makeRoom() {
        boolean hasRoom = connections.makeRoom();
        removeClosed();
        return hasRoom;
    }

    private void outOfMemory(OutOfMemoryError e) {
        try {
            if (!baton.isHeld()) {
                return; // its handler ran in place, and was slow: another thread has the list
            }
            dropOutput(); // of what has failed: those that are closed may send something
            int some = Math.max(1, connections.size() / 4);
            int evicted = evict(some);
            // Without idle ones, what is being received or sent fills the memory, and none of it
            // would be freed: even to notice that a client has disconnected takes some.
            evicted += connections.closeOwned(some - evicted);
            removeClosed();
            logFailure(
                    "out of memory (" + e.getMessage() + "); closed " + evicted + " connections",
                    null);
        } catch (Throwable another) {
            // There is not even memory for this. What was closed so far frees some.
        }
    }

    /// Returns the number of connections that are open or not yet removed.
    public int connectionCount() {
        return connections.size();
    }

    /// Notifies all connections that the server is stopping. May be called from any thread.
    public void announceStop() {
        execute(this::announceStopToAll);
    }

    /// Has the peers of all connections use others, where protocols can; see
    /// [Protocol#announceEnd()]. May be called from any thread.
    public void announceEnd() {
        execute(this::announceEndToAll);
    }

    private void announceStopToAll() {
        if (!connections.announceStop() && !isEnded) {
            announceStop();
        }
    }

    private void announceEndToAll() {
        if (!connections.announceEnd() && !isEnded) {
            announceEnd();
        }
    }

    // ---- Used by connections.

    Baton baton() {
        return baton;
    }

    /// Returns whether this loop has [LoopThreads], so that [#runInline] may be called.
    public boolean hasThreads() {
        return baton.hasThreads();
    }

    /// Makes exchanges fail that would have to wait for their clients, because no other thread
    /// could take over the loop. Called before the loop runs.
    public void forbidBlocking() {
        isBlockingForbidden = true;
    }

    boolean isBlockingForbidden() {
        return isBlockingForbidden;
    }

    /// Returns whether the current thread holds the loop. May be called from any thread.
    public boolean isHeld() {
        return baton.isHeld();
    }

    /// Returns whether more events of the last poll are pending.
    public boolean hasPendingEvents() {
        return poller.hasNext();
    }

    /// Runs a task that should be short on the thread that holds the loop. If the task is not
    /// short, another thread takes over the loop; the caller must then return immediately without
    /// using the loop's state.
    public void runInline(Runnable task) {
        baton.run(task);
    }

    public Poller poller() {
        return poller;
    }

    public NanoClock clock() {
        return clock;
    }

    public TimingWheel timers() {
        return timers;
    }

    /// Returns the start time of this iteration, by [#clock()].
    public long nowNanos() {
        return nowNanos;
    }

    /// Returns the input buffer of this loop; its content is overwritten by the next connection.
    public IoBuffer input() {
        return input;
    }

    /// Sets the buffer in which connections gather output. Each must have emptied it when its event
    /// is over, so that no client gets what is another's; that is checked. Called before the loop
    /// runs.
    public void gatherOutputIn(IoBuffer buffer) {
        output = buffer;
    }

    // ---- Shutdown.

    /// Ends [#run()] after the current iteration. May be called from any thread.
    public void stop() {
        isStopped = true;
        poller.wakeup();
    }

    /// Returns whether this loop has ended, so that workers must close the connections they still
    /// own.
    public boolean isEnded() {
        return isEnded;
    }

    /// Closes the poller and the connections that the loop owns. Workers close those that they own.
    @Override
    public void close() {
        isAsleep = false;
        isEnded = true;
        try {
            poller.close();
            runLeftTasks();
            connections.closeAll();
            removeClosed();
        } finally {
            isOver = true;
        }
        runLeftTasks();
    }

    private void runLeftTasks() {
        while (!tasks.isEmpty()) {
            try {
                runTasks();
            } catch (IllegalStateException e) {
                logFailure("a task of an event loop that ends failed", e);
            }
        }
    }
}
