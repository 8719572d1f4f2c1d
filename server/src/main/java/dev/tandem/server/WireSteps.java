package dev.tandem.server;

import dev.tandem.net.Poller;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What is still to be done for a shared request, in order, and what it waits for. Guarded by its
/// wire's lock.
///
/// ```
///   HELD (a worker has it, or will) --park--> PARKED --add, an event, end--> HELD
/// ```
final class WireSteps {
    private final Http1 http;
    private final ReentrantLock lock;
    private final ArrayDeque<Wire.Step> due = new ArrayDeque<>(2);
    private Wire.@Nullable Step onInput;
    private Wire.@Nullable Step onOutput;

    /// At first by who calls the container.
    private boolean isHeld = true;

    WireSteps(Http1 http, ReentrantLock lock) {
        this.http = http;
        this.lock = lock;
    }

    /// @return true
    boolean add(Wire.Step step) {
        due.add(step);
        hold();
        return true;
    }

    private void hold() {
        if (!isHeld) {
            isHeld = true;
            http.engine().workers().submit(http);
        }
    }

    /// The request is over: a worker sees to its end.
    void end() {
        due.clear();
        onInput = null;
        onOutput = null;
        hold();
    }

    void await(int operation, Wire.Step step) {
        if (operation == Poller.READ) {
            onInput = step;
        } else {
            onOutput = step;
        }
        watchAgain();
    }

    /// The next step. Who waits for what is there already need not wait.
    Wire.@Nullable Step next(boolean canRead) {
        Wire.Step next = due.poll();
        if (next == null && canRead) {
            next = onInput;
            onInput = null;
        }
        if (next == null && onOutput != null && !http.outbox().isHeldUp()) {
            next = onOutput;
            onOutput = null;
        }
        return next;
    }

    /// Nobody has it from now on.
    void park(boolean isHeldUp) throws IOException {
        isHeld = false;
        watch(isHeldUp);
    }

    /// What was watched for may have changed, or been lost to somebody who waited.
    void watchAgain() {
        if (isHeld) {
            return; // whoever has it looks before it is parked
        }
        try {
            if (onOutput != null && !http.outbox().isHeldUp()) {
                hold();
            } else {
                watch(http.outbox().isHeldUp());
            }
        } catch (IOException e) {
            hold(); // the loop has ended, and so will this
        }
    }

    /// Output that is held up goes on whether or not anybody waits for that.
    private void watch(boolean isHeldUp) throws IOException {
        int operations = (onInput == null ? 0 : Poller.READ) | (isHeldUp ? Poller.WRITE : 0);
        if (operations != 0) {
            http.connection().watch(operations);
        }
    }

    /// An event that was watched for. The loop's.
    void noticed(int operations) {
        if (!lock.tryLock()) {
            // Somebody is at it, and may be waiting for the client, for which the loop is needed.
            http.engine().workers().submit(_ -> noticedByWorker(operations));
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
        if (isHeld) {
            return; // whoever has it looks before it is parked
        }
        Wire.Step input = onInput;
        if ((operations & Poller.READ) != 0 && input != null) {
            onInput = null;
            due.add(input);
        }
        if ((operations & Poller.WRITE) != 0 && http.outbox().isHeldUp()) {
            due.addFirst(this::drain);
        }
        if (due.isEmpty()) {
            watchAgain();
        } else {
            hold();
        }
    }

    private void drain() throws IOException {
        Http1Exchange x = http.exchange();
        lock.lock();
        try {
            if (x != null && http.outbox().isHeldUp()) {
                http.outbox().goOn(x.kit());
            }
        } catch (IOException e) {
            fail(e);
        } finally {
            lock.unlock();
        }
    }

    /// The client is gone: who waits for it learns that from what it does next.
    private void fail(IOException e) throws IOException {
        Wire.Step output = onOutput;
        if (output == null) {
            throw e;
        }
        onOutput = null;
        due.addFirst(output);
    }
}
