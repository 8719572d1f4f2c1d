package dev.tandem.lab.rivals;

import dev.tandem.net.Poller;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The place of one connection on one thread: a poller that, in place of watching many sockets,
/// waits in a read of its only one. A newcomer is told of when its first bytes are there.
///
/// ```
///  free --take()--> first bytes --newcomer()--> served --remove()--> free
/// ```
///
/// Confined to its thread but [#take], [#wakeup] and [#interest].
final class Seat implements Poller {
    private static final ThreadLocal<Seat> CURRENT = new ThreadLocal<>();

    /// 4 KiB: a head in one read, nearly always; one that is longer takes more.
    private static final int HEAD_SIZE = 4096;

    private final Seats seats;
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

    /// What [#dispatchNext] tells.
    private int ready;

    Seat(Seats seats, KeepAlive keepAlive) {
        this.seats = seats;
        this.keepAlive = keepAlive;
        seats.add();
    }

    static Seat ofThisThread() {
        return CURRENT.get();
    }

    /// Gets a connection. From the acceptor.
    void take(BlockingSocket next) {
        given = next;
        LockSupport.unpark(thread);
    }

    /// The connection that the loop does not know yet, once.
    @Nullable BlockingSocket newcomer() {
        BlockingSocket fresh = isNew ? socket : null; // told of by its own listener
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
            seats.rest(this);
            while (given == null && !isWoken) {
                if (timeoutNanos > 0) {
                    LockSupport.parkNanos(this, timeoutNanos);
                    break;
                }
                LockSupport.park(this);
            }
            seats.rise(this);
        } else if (timeoutNanos != 0 && !isWoken) {
            LockSupport.parkNanos(this, timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos);
        }
        BlockingSocket next = given;
        given = null;
        if (next != null) {
            isNew = true;
            socket = next;
            next.sit(head);
        }
        return next;
    }

    /// Waits until the connection can go on.
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
        long limit = isIdle ? keepAlive.limitNanos(seats.busyCount(), seats.count()) : timeoutNanos;
        switch (current.awaitInput(limit)) {
            case INPUT -> ready = READ;
            case CUT -> {
                if (isWoken) {
                    return; // to do something else; it is over with the connection all the same
                }
                if (isIdle) {
                    seats.timedOut();
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
        int told = ready;
        ready = NONE;
        BlockingSocket current = socket;
        ReadinessListener to = isNew && current != null ? listening.get(current.from()) : serving;
        if (told == NONE || to == null) {
            return false;
        }
        to.ready(told);
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
