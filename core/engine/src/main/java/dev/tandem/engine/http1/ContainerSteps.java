package dev.tandem.engine.http1;

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

/// What is still to be done for a shared request, in order, and what it waits for. Guarded by its
/// wire's lock.
///
/// ```
///   HELD (a worker has it, or will) --park--> PARKED --add, an event, end--> HELD
/// ```
final class ContainerSteps {
    /// How often who waits looks whether the client was cut: 250 ms.
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

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

    private final Waiters readers;
    private final Waiters writers;

    /// Somebody is on the way who goes on with what is held up.
    private boolean isGoingOn;

    private boolean isEnded;

    /// At first by who calls the container.
    private boolean isHeld = true;

    /// @param output of the connection
    /// @param request what a worker runs so that the next step is done
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

    void add(ContainerExchange.Step step) {
        due.add(step);
        hold();
    }

    private void hold() {
        if (!isHeld) {
            isHeld = true;
            workers.submit(request);
        }
    }

    /// The request is over: a worker sees to its end.
    void end() {
        due.clear();
        onInput = null;
        onOutput = null;
        isEnded = true;
        readers.tell();
        writers.tell();
        runTaken();
        hold();
    }

    void await(int operation, ContainerExchange.Step step) {
        if (operation == Poller.READ) {
            onInput = step;
        } else {
            onOutput = step;
        }
        watchAgain();
    }

    /// Input is there that no event will announce: a parked request goes on.
    void hasInput() {
        hold();
    }

    /// Waits until the client has sent something, or takes something. For a thread that has the
    /// lock, and is without it meanwhile.
    ///
    /// @throws TimeoutIOException if it was in vain for so long, or the client was cut
    void waitFor(int operation, long nanos) throws IOException {
        connection.beforeBlocking();
        if (operation == Poller.READ) {
            readers.await(nanos);
        } else {
            isGoingOn = false;
            writers.await(nanos);
        }
    }

    /// Threads that wait for the same.
    private final class Waiters {
        private final Condition told;
        private int threads;
        private int events;

        Waiters(Condition told) {
            this.told = told;
        }

        boolean areThere() {
            return threads > 0;
        }

        void tell() {
            threads = 0;
            events++;
            told.signalAll();
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
                        throw new TimeoutIOException(left <= 0 ? "timed out" : "cut");
                    }
                    told.awaitNanos(Math.min(left, LOOK_NANOS));
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

    /// Whether somebody waits to write more, or was told to go on just now.
    boolean isWriting() {
        return writers.areThere() || isGoingOn;
    }

    /// See [ContainerExchange#whenTaken].
    void whenTaken(Runnable task) {
        onTaken = task;
        wentOn();
    }

    /// Something was read or written, or waited for.
    void wentOn() {
        isGoingOn = false;
        if (!output.isHeldUp()) {
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

    /// The next step. Who waits for what is there already need not wait.
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

    /// Nobody has it from now on.
    void park() throws IOException {
        isHeld = false;
        watch();
    }

    /// What was watched for may have changed, or been lost to somebody who waited. Whoever holds it
    /// looks before it is parked.
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

    /// Output that is held up goes on whether or not anybody waits for that.
    private void watch() throws IOException {
        boolean isForInput = readers.areThere() || !isHeld && onInput != null;
        boolean isForOutput = !isHeld || writers.areThere() || onTaken != null;
        isForOutput &= output.isHeldUp() && !isGoingOn;
        int operations = (isForInput ? Poller.READ : 0) | (isForOutput ? Poller.WRITE : 0);
        if (operations != 0) {
            connection.watchOnce(operations);
        }
    }

    /// An event that was watched for. The loop's.
    void noticed(int operations) {
        if (!lock.tryLock()) {
            // Somebody is at it, and may be waiting for the client, for which the loop is needed.
            workers.submit(_ -> noticedByWorker(operations));
            return;
        }
        try {
            told(operations);
        } finally {
            lock.unlock();
        }
    }

    private void noticedByWorker(int operations) {
        lock.lock();
        try {
            told(operations);
        } finally {
            lock.unlock();
        }
    }

    private void told(int operations) {
        if ((operations & Poller.READ) != 0) {
            toldOfInput();
        }
        if ((operations & Poller.WRITE) != 0 && output.isHeldUp()) {
            toldOfOutput();
        }
        if (!isHeld && !due.isEmpty()) {
            hold();
        }
        watchAgain();
    }

    private void toldOfInput() {
        ContainerExchange.Step input = onInput;
        if (readers.areThere()) {
            readers.tell();
        } else if (!isHeld && input != null) {
            onInput = null;
            due.add(input);
        }
    }

    private void toldOfOutput() {
        if (writers.areThere()) {
            isGoingOn = true;
            writers.tell();
        } else if (onTaken != null) {
            isGoingOn = true;
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
                wentOn();
            }
        } catch (IOException e) {
            fail(e);
        } finally {
            lock.unlock();
        }
    }

    /// The client is gone: who waits for it learns that from what it does next.
    private void fail(IOException e) throws IOException {
        ContainerExchange.Step output = onOutput;
        if (output == null) {
            throw e;
        }
        onOutput = null;
        due.addFirst(output);
    }
}
