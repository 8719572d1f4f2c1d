package dev.tandem.net;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// One event loop: waits for sockets to be ready, tells their connections, fires deadlines,
/// accepts.
///
/// Methods are for the loop's own thread unless they say otherwise.
public final class Loop implements AutoCloseable {
    /// 64 KiB: what is read at once if nothing else is said.
    public static final int INPUT_SIZE = 65_536;

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
    private boolean isBlockingForbidden;
    private long nowNanos;

    public Loop(Poller poller, NanoClock clock) {
        this(poller, clock, INPUT_SIZE);
    }

    /// @param inputSize how many bytes are read at once
    public Loop(Poller poller, NanoClock clock, int inputSize) {
        this.input = new IoBuffer(inputSize);
        this.poller = poller;
        this.clock = clock;
        this.nowNanos = clock.nanos();
        this.timers = new TimingWheel(nowNanos);
        this.dispatchNext = poller::dispatchNext;
        this.fireDeadlines = () -> timers.advance(nowNanos);
    }

    /// Turns until [#stop()], or until this thread has the loop no more: see [LoopThreads].
    ///
    /// @return false if another thread has the loop now
    public boolean run() {
        try {
            while (!isStopped) {
                if (!runOnce(-1)) {
                    return false;
                }
            }
        } catch (IOException e) {
            Log.LOG.log(Level.ERROR, "an event loop ended: its poller failed", e);
        }
        close();
        return true;
    }

    /// Waits at most `maxWaitNanos` (negative: without end) for something to do, and does it.
    ///
    /// @return false if another thread has the loop now
    public boolean runOnce(long maxWaitNanos) throws IOException {
        if (!poller.hasNext()) {
            // Asked here, since loading the event's class alone sets up Flight Recorder.
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
            guarded(dispatchNext);
            isHeld = baton.isHeld();
        }
        if (isHeld) {
            guarded(fireDeadlines);
            isHeld = runTasks();
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
        // Not from the turn's beginning: a turn may have been long.
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
            guarded(task);
            isHeld = baton.isHeld();
        }
        return isHeld;
    }

    /// One connection's failure is not another's.
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (OutOfMemoryError e) {
            outOfMemory(e);
        } catch (RuntimeException | Error e) {
            logFailure("a task of an event loop failed", e);
        }
    }

    /// Logs, if there are the memory and the descriptors for it: the loop goes on without, too.
    private static void logFailure(String what, @Nullable Throwable why) {
        try {
            Log.LOG.log(Level.ERROR, what, why);
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell.
        }
    }

    /// Runs a task on this loop, soon. From any thread.
    public void execute(Runnable task) {
        tasks.add(task);
        if (isAsleep) {
            poller.wakeup();
        } else if (isEnded && tasks.remove(task)) {
            guarded(task); // finds the poller closed, and closes what it wanted to wait for
        }
    }

    // ---- Connections.

    /// Takes a new connection in and gives it its first turn.
    void addConnection(Socket socket, Protocol.Factory protocols) {
        var connection = new Connection(socket, this, protocols);
        connections.add(connection);
        try {
            connection.start();
        } catch (OutOfMemoryError e) {
            connection.close();
            outOfMemory(e);
        }
    }

    /// Notes that a connection has work, so that others are idle for longer.
    void markUsed(Connection connection) {
        connections.moveToYoungest(connection);
    }

    /// Notes a closed connection. From any thread.
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
            poller.remove(c.socket().pollable());
            connections.remove(c);
            c.afterClose();
            c = next;
        }
    }

    /// Closes up to `count` connections, the longest idle first; passes over those with work. If
    /// none is idle, one whose peer has begun to ask goes.
    ///
    /// @return how many were closed
    public int evict(int count) {
        int evicted = connections.evict(count);
        removeClosed();
        return evicted;
    }

    private void outOfMemory(OutOfMemoryError e) {
        int evicted = evict(Math.max(1, connections.size() / 4));
        logFailure(
                "out of memory (" + e.getMessage() + "); closed " + evicted + " idle connections",
                null);
    }

    /// How many connections are open or not yet forgotten.
    public int connectionCount() {
        return connections.size();
    }

    /// Tells every connection that the server is stopping. From any thread.
    public void announceStop() {
        execute(connections::announceStop);
    }

    // ---- What connections use.

    Baton baton() {
        return baton;
    }

    /// Whether this loop has a crew, so that [#runInline] may be called.
    public boolean hasThreads() {
        return baton.hasThreads();
    }

    /// Has exchanges fail that would have to wait for their clients, since nobody else could take
    /// the loop meanwhile. Before the loop runs.
    public void forbidBlocking() {
        isBlockingForbidden = true;
    }

    boolean isBlockingForbidden() {
        return isBlockingForbidden;
    }

    /// Whether this thread has the loop.
    boolean isHeld() {
        return baton.isHeld();
    }

    /// Whether more of what was ready at once still waits for its turn.
    public boolean hasPendingEvents() {
        return poller.hasNext();
    }

    /// Runs something that should be short on the thread that has the loop. If it is not short
    /// after all, another thread takes the loop meanwhile, and the caller must not touch anything
    /// of the loop's when this returns, but return itself.
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

    /// The time when this turn began, by [#clock()].
    public long nowNanos() {
        return nowNanos;
    }

    /// Where this loop reads input into; what it holds is lost with the next connection's turn.
    public IoBuffer input() {
        return input;
    }

    // ---- The end.

    /// Ends [#run()] after the turn that is under way. From any thread.
    public void stop() {
        isStopped = true;
        poller.wakeup();
    }

    /// Whether this loop has ended: what workers still have of its connections they must close.
    public boolean isEnded() {
        return isEnded;
    }

    /// Closes the connections that are the loop's own, and the poller. Those that workers have are
    /// closed by them.
    @Override
    public void close() {
        isAsleep = false;
        isEnded = true;
        poller.close();
        while (!tasks.isEmpty()) {
            runTasks();
        }
        connections.closeAll();
        removeClosed();
    }
}
