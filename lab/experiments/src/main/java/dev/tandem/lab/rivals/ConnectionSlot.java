package dev.tandem.lab.rivals;

import dev.tandem.net.Poller;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A slot for one connection on one thread: a poller that, instead of watching many sockets, blocks
/// in a read of its only one. A new connection is reported when its first bytes have been received.
///
/// ```
///  free --assign()--> first bytes --newConnection()--> served --remove()--> free
/// ```
///
/// Confined to its thread, except [#assign], [#wakeup] and [#interest].
final class ConnectionSlot implements Poller {
    private static final ThreadLocal<ConnectionSlot> CURRENT = new ThreadLocal<>();

    /// 4 KiB: a head in one read, nearly always; a longer one needs more reads.
    private static final int HEAD_SIZE = 4096;

    private final ConnectionSlots slots;
    private final KeepAlive keepAlive;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_SIZE);
    private final Map<Pollable, ReadinessListener> listening = new HashMap<>();
    private volatile boolean isAccepting;

    /// Set by the acceptor, taken by the thread.
    private volatile @Nullable BlockingSocket given;

    private volatile @Nullable Thread thread;
    private volatile boolean isWoken;

    private volatile @Nullable BlockingSocket socket;
    private @Nullable ReadinessListener serving;

    /// Whether the loop does not know the connection yet.
    private boolean isNew;

    private volatile int interest;

    /// Readiness that [#dispatchNext] reports.
    private int ready;

    ConnectionSlot(ConnectionSlots slots, KeepAlive keepAlive) {
        this.slots = slots;
        this.keepAlive = keepAlive;
        slots.add();
    }

    static ConnectionSlot ofThisThread() {
        return CURRENT.get();
    }

    /// Assigns a connection. Called by the acceptor.
    void assign(BlockingSocket next) {
        given = next;
        LockSupport.unpark(thread);
    }

    /// Returns the connection that the loop does not know yet, once.
    @Nullable BlockingSocket newConnection() {
        BlockingSocket fresh = isNew ? socket : null; // reported by its own listener
        isNew = false;
        return fresh;
    }

    @Override
    public void add(Pollable pollable, int interest, ReadinessListener readiness) {
        if (pollable instanceof BlockingListener) {
            listening.put(pollable, readiness);
            isAccepting = true;
        } else {
            serving = readiness;
            this.interest = interest;
        }
    }

    @Override
    public void setInterest(Pollable pollable, int interest) {
        if (pollable instanceof BlockingListener) {
            isAccepting = interest != NONE;
        } else {
            this.interest = interest;
        }
    }

    @Override
    public void remove(Pollable pollable) {
        if (pollable == socket) {
            leave();
        }
    }

    private void leave() {
        socket = null;
        serving = null;
        isNew = false;
        interest = NONE;
    }

    @Override
    public void poll(long timeoutNanos) {
        if (thread == null) {
            thread = Thread.currentThread();
            CURRENT.set(this);
        }
        BlockingSocket current = socket;
        if (current != null && current.isClosed()) {
            leave(); // while the loop did not know it, or before it forgot it
            current = null;
        }
        if (current == null) {
            current = next(timeoutNanos);
        }
        if (current != null && !isWoken) {
            serve(current, timeoutNanos);
        }
        isWoken = false;
    }

    /// Waits for a connection.
    private @Nullable BlockingSocket next(long timeoutNanos) {
        if (isAccepting && timeoutNanos != 0) {
            slots.markFree(this);
            while (given == null && !isWoken) {
                if (timeoutNanos > 0) {
                    LockSupport.parkNanos(this, timeoutNanos);
                    break;
                }
                LockSupport.park(this);
            }
            slots.unmarkFree(this);
        } else if (timeoutNanos != 0 && !isWoken) {
            LockSupport.parkNanos(this, timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos);
        }
        BlockingSocket next = given;
        given = null;
        if (next != null) {
            isNew = true;
            socket = next;
            next.setBuffer(head);
        }
        return next;
    }

    /// Waits until the connection is ready.
    private void serve(BlockingSocket current, long timeoutNanos) {
        if (isNew && !isAccepting) {
            current.close(); // the server stops
        } else if ((interest & WRITE) != 0) {
            ready = WRITE; // a write waits by itself
        } else if (timeoutNanos != 0 && (isNew || interest != NONE)) {
            receive(current, timeoutNanos);
        }
    }

    private void receive(BlockingSocket current, long timeoutNanos) {
        boolean isIdle = timeoutNanos < 0;
        long limit = isIdle ? keepAlive.limitNanos(slots.busyCount(), slots.count()) : timeoutNanos;
        switch (current.awaitInput(limit)) {
            case INPUT -> ready = READ;
            case TIMED_OUT -> {
                if (isWoken) {
                    return; // to do something else; it is over with the connection all the same
                }
                if (isIdle) {
                    slots.timedOut();
                    ready = READ;
                } // else the loop's deadline has come, and says what to do
            }
        }
        if (isNew && current.hasEnded()) {
            current.close();
            ready = NONE;
        }
    }

    @Override
    public boolean hasNext() {
        return ready != NONE;
    }

    @Override
    public boolean dispatchNext() {
        int reported = ready;
        ready = NONE;
        BlockingSocket current = socket;
        ReadinessListener to = isNew && current != null ? listening.get(current.from()) : serving;
        if (reported == NONE || to == null) {
            return false;
        }
        to.ready(reported);
        return false;
    }

    @Override
    public void wakeup() {
        isWoken = true;
        LockSupport.unpark(thread);
        BlockingSocket current = socket;
        if (current != null) {
            current.wake();
        }
    }

    @Override
    public void close() {
        BlockingSocket current = given != null ? given : socket;
        if (current != null && (isNew || given != null)) {
            current.close();
        }
        if (thread != null) {
            CURRENT.remove();
        }
    }
}
