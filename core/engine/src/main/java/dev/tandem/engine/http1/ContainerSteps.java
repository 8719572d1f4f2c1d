package dev.tandem.engine.http1;

import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.WorkerPool;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.net.Connection;
import dev.tandem.net.Poller;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The steps that are due for a detached container request, in order, and the events that it waits
/// for. Guarded by the request's lock.
///
/// ```
///   HELD (a worker has it, or will) --park--> PARKED --add, an event, end--> HELD
/// ```
final class ContainerSteps {
    /// How often a thread that waits checks whether the client was disconnected to serve others:
    /// 250 ms.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Connection connection;
    private final WriteQueue output;
    private final WorkerPool workers;
    private final WorkerPool.Task request;
    private final Supplier<IoContext> context;
    private final ReentrantLock lock;
    private final ArrayDeque<ContainerExchange.Step> due = new ArrayDeque<>(2);
    private ContainerExchange.@Nullable Step onInput;
    private ContainerExchange.@Nullable Step onOutput;
    private @Nullable Runnable onTaken;
    private ContainerExchange.@Nullable Step onReset;

    private final Waiters readers;
    private final Waiters writers;

    /// Whether a thread was started or woken that writes more of the held-up output.
    private boolean isWriterWoken;

    private boolean isEnded;

    /// Whether a worker has the request, or will; at first the thread that calls the container.
    private boolean isHeld = true;

    /// @param output of the connection
    /// @param request run by a worker for the next step
    /// @param context returns that of the thread that has the request
    ContainerSteps(
            Connection connection,
            WriteQueue output,
            WorkerPool workers,
            WorkerPool.Task request,
            Supplier<IoContext> context,
            ReentrantLock lock) {
        this.connection = connection;
        this.output = output;
        this.workers = workers;
        this.request = request;
        this.context = context;
        this.lock = lock;
        this.readers = new Waiters(lock.newCondition());
        this.writers = new Waiters(lock.newCondition());
    }

    /// Adds a step that is due.
    void add(ContainerExchange.Step step) {
        due.add(step);
        hold();
    }

    /// Has a worker take the request, unless one has it.
    private void hold() {
        if (!isHeld) {
            isHeld = true;
            try {
                workers.submit(request);
            } catch (Throwable e) {
                isHeld = false; // for lack of memory: the next event must submit it
                throw e;
            }
        }
    }

    /// Ends the request: a worker does the rest.
    void end() {
        due.clear();
        onInput = null;
        onOutput = null;
        onReset = null;
        isEnded = true;
        readers.wake();
        writers.wake();
        runTaken();
        hold();
    }

    /// Runs a step when the event happens, once; it replaces an earlier one.
    ///
    /// @param operation [Poller#READ] or [Poller#WRITE]
    void await(int operation, ContainerExchange.Step step) {
        if (operation == Poller.READ) {
            onInput = step;
        } else {
            onOutput = step;
        }
        watchAgain();
    }

    /// See [ContainerExchange#awaitReset].
    void awaitReset(ContainerExchange.Step step) {
        onReset = step;
    }

    /// Removes and returns the step that waits for the client to disconnect; null if none does.
    ContainerExchange.@Nullable Step takeReset() {
        ContainerExchange.Step step = onReset;
        if (step != null) {
            onReset = null;
            onInput = null;
            onOutput = null;
        }
        return step;
    }

    /// Continues a parked request: there is input that no event will announce.
    void hasInput() {
        hold();
    }

    /// Waits until the client has sent or read something. The calling thread has the lock, which is
    /// released meanwhile.
    ///
    /// @throws TimeoutIOException if nothing happened in time, or the client was disconnected to
    ///     serve others
    void waitFor(int operation, long nanos) throws IOException {
        connection.beforeBlocking();
        if (operation == Poller.READ) {
            readers.await(nanos);
        } else {
            isWriterWoken = false;
            writers.await(nanos);
        }
    }

    /// The threads that wait for one kind of event.
    private final class Waiters {
        private final Condition woken;
        private int threads;
        private int events;

        Waiters(Condition woken) {
            this.woken = woken;
        }

        boolean exist() {
            return threads > 0;
        }

        void wake() {
            threads = 0;
            events++;
            woken.signalAll();
        }

        void await(long nanos) throws IOException {
            long end = System.nanoTime() + nanos;
            int before = events;
            threads++;
            try {
                watch();
                while (events == before && !isEnded) {
                    long left = end - System.nanoTime();
                    if (left <= 0 || connection.isWaitCancelled() || connection.isClosed()) {
                        throw new TimeoutIOException(left <= 0 ? "timed out" : "disconnected");
                    }
                    woken.awaitNanos(Math.min(left, CHECK_NANOS));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TimeoutIOException("interrupted");
            } finally {
                if (events == before) {
                    threads--;
                }
            }
        }
    }

    /// Whether a thread waits to write more, or was woken for it just now.
    boolean isWriting() {
        return writers.exist() || isWriterWoken;
    }

    /// See [ContainerExchange#whenTaken].
    void whenTaken(Runnable task) {
        onTaken = task;
        progressed();
    }

    /// Notes that something was read or written, or waited for.
    void progressed() {
        isWriterWoken = false;
        if (!output.isHeldUp()) {
            // A thread may have begun to wait after a worker was called to write the rest. There is
            // nothing left that an event could announce.
            if (writers.exist()) {
                writers.wake();
            }
            runTaken();
        }
        watchAgain();
    }

    private void runTaken() {
        Runnable task = onTaken;
        if (task != null) {
            onTaken = null;
            workers.submit(_ -> task.run());
        }
    }

    /// Removes and returns the next step; null if there is none. A step whose event has happened
    /// already is due.
    ContainerExchange.@Nullable Step next(boolean canRead) {
        ContainerExchange.Step next = due.poll();
        if (next == null && canRead) {
            next = onInput;
            onInput = null;
        }
        if (next == null && onOutput != null && !output.isHeldUp()) {
            next = onOutput;
            onOutput = null;
        }
        return next;
    }

    /// No thread has the request from now on.
    void park() throws IOException {
        isHeld = false;
        watch();
    }

    /// Watches for the events that are awaited now: that may have changed, or an event may have
    /// gone to a thread that waited. A worker that has the request checks before it is parked.
    private void watchAgain() {
        try {
            if (!isHeld && onOutput != null && !output.isHeldUp()) {
                hold();
            }
            watch();
        } catch (IOException e) {
            runTaken(); // the loop has ended, and so will this
            hold();
        }
    }

    /// Held-up output is written whether or not a step or thread waits for that.
    private void watch() throws IOException {
        boolean isForInput = readers.exist() || !isHeld && onInput != null;
        boolean isForOutput = !isHeld || writers.exist() || onTaken != null;
        isForOutput &= output.isHeldUp() && !isWriterWoken;
        int operations = (isForInput ? Poller.READ : 0) | (isForOutput ? Poller.WRITE : 0);
        if (operations != 0) {
            connection.watchOnce(operations);
        }
    }

    /// Handles an event that was watched for. Called on the loop.
    void watchedEvent(int operations) {
        if (!lock.tryLock()) {
            // The thread that has the lock may wait for the client, for which the loop is needed.
            workers.submit(_ -> handleOnWorker(operations));
            return;
        }
        try {
            handle(operations);
        } finally {
            lock.unlock();
        }
    }

    private void handleOnWorker(int operations) {
        lock.lock();
        try {
            handle(operations);
        } finally {
            lock.unlock();
        }
    }

    private void handle(int operations) {
        if ((operations & Poller.READ) != 0) {
            handleInput();
        }
        if ((operations & Poller.WRITE) != 0 && output.isHeldUp()) {
            handleOutput();
        }
        if (!isHeld && !due.isEmpty()) {
            hold();
        }
        watchAgain();
    }

    private void handleInput() {
        ContainerExchange.Step input = onInput;
        if (readers.exist()) {
            readers.wake();
        } else if (!isHeld && input != null) {
            onInput = null;
            due.add(input);
        }
    }

    private void handleOutput() {
        if (writers.exist()) {
            isWriterWoken = true;
            writers.wake();
        } else if (onTaken != null) {
            isWriterWoken = true;
            runTaken();
        } else if (!isHeld) {
            due.addFirst(this::drain);
        }
    }

    private void drain() throws IOException {
        lock.lock();
        try {
            if (output.isHeldUp()) {
                output.writeMore(context.get());
                progressed();
            }
        } catch (IOException e) {
            fail(e);
        } finally {
            lock.unlock();
        }
    }

    /// The client has disconnected: the step that waits for output runs, and fails at its next
    /// write; or else the one that waits for that.
    private void fail(IOException e) throws ClientGoneException {
        ContainerExchange.Step next = onOutput != null ? onOutput : takeReset();
        if (next == null) {
            throw new ClientGoneException(e);
        }
        onOutput = null;
        due.addFirst(next);
    }
}
