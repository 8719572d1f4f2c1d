package dev.tandem.net.epoll;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OutOfDescriptorsException;
import dev.tandem.net.Poller;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A poller based on epoll(7).
///
/// Layout of an event (`struct epoll_event`, packed on x86-64 only):
///
/// ```
/// x86-64   0 events u32 | 4 descriptor u32 |  8 generation u32          12 bytes
/// aarch64  0 events u32 | 4 padding        |  8 descriptor | 12 generation   16 bytes
/// ```
///
/// The generation distinguishes an event for a closed socket from one for the next socket with the
/// same descriptor.
final class EpollPoller implements Poller {
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLL_CTL_MOD = 3;
    private static final int EPOLLIN = 1;
    private static final int EPOLLOUT = 4;
    private static final int EPOLLERR = 8;
    private static final int EPOLLHUP = 16;
    private static final int EPOLLEXCLUSIVE = 1 << 28;
    private static final int EPOLLONESHOT = 1 << 30;
    private static final int EPOLLET = 1 << 31;
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EFD_CLOEXEC_NONBLOCK = 0x80800;

    /// The maximum number of events per call; more are returned by the next.
    private static final int EVENTS = 256;

    private static final boolean IS_PACKED = !System.getProperty("os.arch", "").startsWith("aa");
    private static final int EVENT_SIZE = IS_PACKED ? 12 : 16;
    private static final int DATA_OFFSET = IS_PACKED ? 4 : 8;

    /// The size of the kernel's signal set, which epoll_pwait requires even without a set.
    private static final int SIGSET_SIZE = 8;

    /// 100 ms: waits up to this time are exact; longer ones may be up to one millisecond too long.
    private static final long EXACT_NANOS_MAX = 100_000_000;

    /// 200 µs: the time that a starting program may need to close its copies of this process's
    /// descriptors.
    static final long STALE_EVENTS_REST_NANOS = 200_000;

    private final SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
    private final WatchTable watches = new WatchTable();
    private final AtomicInteger generations = new AtomicInteger();
    private final IoBuffer events = new IoBuffer(EVENTS * EVENT_SIZE);
    private final int epoll;
    private final int wakeup;

    /// The next event to dispatch, and the number of fetched events; accessed by the thread that
    /// holds the loop.
    private int next;

    private int fetched;

    /// The number of dispatched events for descriptors that are closed in this process, but still
    /// open in a program that is being started and has copies of them: epoll reports these
    /// repeatedly.
    private int staleEvents;

    /// Whether this kernel supports epoll_pwait2 (Linux 5.11), as far as known; accessed by the
    /// thread that holds the loop.
    private boolean hasPwait2 = true;

    private volatile boolean isClosed;

    EpollPoller() throws IOException {
        events.bytes().order(ByteOrder.nativeOrder());
        epoll =
                (int)
                        checked(
                                Linux.call(calls.epollCreate1(), EPOLL_CLOEXEC, 0, 0),
                                "epoll_create1");
        wakeup =
                (int) checked(Linux.call(calls.eventfd2(), 0, EFD_CLOEXEC_NONBLOCK, 0), "eventfd2");
        // Edge-triggered: each write is reported once, and the counter need not be read.
        control(EPOLL_CTL_ADD, wakeup, EPOLLIN | EPOLLET, 0);
    }

    private static long checked(long result, String what) throws IOException {
        if (result == -Linux.EMFILE || result == -Linux.ENFILE) {
            throw new OutOfDescriptorsException(what + ": " + Linux.message(-result));
        }
        if (result < 0) {
            throw new IOException(what + ": " + Linux.message(-result));
        }
        return result;
    }

    @Override
    public void add(Pollable pollable, int interest, ReadinessListener readiness)
            throws IOException {
        if (isClosed) {
            throw new IOException("the event loop has ended");
        }
        var descriptor = (EpollDescriptor) pollable;
        synchronized (descriptor) { // as its close is
            if (descriptor.isClosed()) {
                throw new IOException("the socket is closed");
            }
            register(descriptor, interest, readiness);
        }
    }

    private void register(EpollDescriptor descriptor, int interest, ReadinessListener readiness)
            throws IOException {
        int fd = descriptor.fd();
        int generation = generations.incrementAndGet();
        var watch = new WatchTable.Watch(generation, readiness, descriptor);
        WatchTable.Watch previous = watches.get(fd);
        watches.put(fd, watch); // before events may come
        long result = control(EPOLL_CTL_ADD, fd, bits(descriptor, interest), generation);
        if (result < 0) {
            watches.replace(fd, watch, previous); // who has the descriptor keeps its events
        }
        checked(result, "epoll_ctl");
    }

    @Override
    public void setInterest(Pollable pollable, int interest) {
        var descriptor = (EpollDescriptor) pollable;
        synchronized (descriptor) { // as its close is: else it could be the next socket's interest
            WatchTable.Watch watch = watches.get(descriptor.fd());
            boolean isOpen = !isClosed && !descriptor.isClosed();
            if (isOpen && watch != null && watch.descriptor() == descriptor) {
                change(descriptor, interest, watch.generation());
            }
        }
    }

    private void change(EpollDescriptor descriptor, int interest, int generation) {
        int operation = EPOLL_CTL_MOD;
        if (descriptor.isShared()) {
            // An exclusive registration cannot be modified, only removed and added again.
            operation = interest == NONE ? EPOLL_CTL_DEL : EPOLL_CTL_ADD;
        }
        control(operation, descriptor.fd(), bits(descriptor, interest), generation);
    }

    private static int bits(EpollDescriptor descriptor, int interest) {
        if (descriptor.isShared()) {
            return EPOLLIN | EPOLLEXCLUSIVE;
        }
        int bits = (interest & READ) != 0 ? EPOLLIN : 0;
        if ((interest & WRITE) != 0) {
            bits |= EPOLLOUT;
        }
        if ((interest & ONCE) != 0) {
            bits |= EPOLLONESHOT;
        }
        // Errors and hang-ups are always reported; edge-triggered, each only once.
        return bits == 0 ? EPOLLET : bits;
    }

    private long control(int operation, int fd, int bits, int generation) {
        IoBuffer event = Linux.scratch();
        event.bytes().putInt(0, bits);
        event.bytes().putInt(DATA_OFFSET, fd);
        event.bytes().putInt(DATA_OFFSET + 4, generation);
        return Linux.call(calls.epollCtl(), epoll, operation, fd, event.address(), 0, 0);
    }

    @Override
    public void remove(Pollable pollable) {
        // Closing the descriptor removed it from epoll.
        var descriptor = (EpollDescriptor) pollable;
        WatchTable.Watch watch = watches.get(descriptor.fd());
        if (watch != null && watch.descriptor() == descriptor) {
            watches.clear(descriptor.fd(), watch);
        }
    }

    @Override
    public void poll(long timeoutNanos) throws IOException {
        if (staleEvents > 0 && staleEvents == fetched && timeoutNanos != 0) {
            // The program may need this processor to close its copies.
            LockSupport.parkNanos(STALE_EVENTS_REST_NANOS);
        }
        staleEvents = 0;
        next = 0;
        fetched = 0;
        long count = -Linux.ENOSYS;
        if (timeoutNanos > 0 && timeoutNanos < EXACT_NANOS_MAX && hasPwait2) {
            IoBuffer time = Linux.scratch();
            time.bytes().putLong(0, 0).putLong(8, timeoutNanos);
            count = wait(calls.epollPwait2(), time.address());
            hasPwait2 = count != -Linux.ENOSYS;
        }
        if (count == -Linux.ENOSYS) {
            count = wait(calls.epollPwait(), millis(timeoutNanos));
        }
        if (count != -Linux.EINTR) {
            fetched = (int) checked(count, "epoll_pwait");
        }
    }

    private static long millis(long nanos) {
        return nanos < 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
    }

    private long wait(int call, long timeout) {
        return Linux.call(call, epoll, events.address(), EVENTS, timeout, 0, SIGSET_SIZE);
    }

    @Override
    public boolean hasNext() {
        return next < fetched;
    }

    @Override
    public boolean dispatchNext() {
        if (next >= fetched) {
            return false;
        }
        int at = next * EVENT_SIZE;
        next++;
        dispatch(at);
        return true;
    }

    private void dispatch(int at) {
        int fd = events.bytes().getInt(at + DATA_OFFSET);
        int generation = events.bytes().getInt(at + DATA_OFFSET + 4);
        WatchTable.Watch watch = watches.get(fd);
        if (watch == null || watch.generation() != generation) {
            if (fd != wakeup) {
                staleEvents++; // or closed after this event was fetched
            }
            return;
        }
        int bits = events.bytes().getInt(at);
        int operations = (bits & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0 ? READ : NONE;
        if ((bits & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
            operations |= WRITE;
        }
        watch.readiness().ready(operations);
    }

    /// Synchronized with [#close()], because after it the descriptor number may belong to another
    /// file.
    @Override
    public synchronized void wakeup() {
        if (!isClosed) {
            IoBuffer one = Linux.scratch();
            one.bytes().putLong(0, 1);
            Linux.call(calls.write(), wakeup, one.address(), 8);
        }
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            Linux.call(calls.close(), wakeup, 0, 0);
            Linux.call(calls.close(), epoll, 0, 0);
        }
    }
}
