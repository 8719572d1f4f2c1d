package dev.tandem.cgi.posix;

import dev.tandem.cgi.ScriptProcess;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A child process of this process: its owner waits for all pipes by one `poll`, and reaps it by
/// `waitpid`. No other thread is involved.
final class PosixProcess implements ScriptProcess {
    private static final int INPUT_END = 0;
    private static final int OUTPUT_END = 1;
    private static final int ERROR_END = 2;
    private static final short POLL_IN = 1;
    private static final short POLL_OUT = 4;
    private static final int SIGKILL = 9;
    private static final int NO_HANG = 1;

    /// Of a status of `waitpid`; 0 for a process that has ended itself.
    private static final int SIGNAL_BITS = 0x7f;

    /// The same number on every architecture; Linux 5.3 (2019) or later.
    private static final int PIDFD_OPEN = 434;

    /// Polling interval where the kernel has no process descriptors.
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int pid;
    /// This process's ends of the pipes; -1 once closed.
    private final int[] descriptors = new int[Pipes.COUNT];

    /// Whether the process was reaped: then its id may be reused. Guarded by this.
    private boolean isReaped;

    /// The signal that has ended it; 0 if none has. Guarded by this.
    private int endSignal;

    /// @param hasInput whether there will be data for its standard input
    PosixProcess(int pid, Pipes pipes, boolean hasInput) {
        this.pid = pid;
        for (int i = 0; i < Pipes.COUNT; i++) {
            descriptors[i] = pipes.parentEnd(i);
        }
        if (!hasInput) {
            closeInput();
        }
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public int await(boolean wantsInput, long nanos) throws IOException {
        if (wantsInput && descriptors[INPUT_END] < 0) {
            return INPUT;
        }
        MemorySegment polled = Scratch.get().polled();
        set(polled, INPUT_END, wantsInput ? descriptors[INPUT_END] : -1, POLL_OUT);
        set(polled, OUTPUT_END, descriptors[OUTPUT_END], POLL_IN);
        set(polled, ERROR_END, descriptors[ERROR_END], POLL_IN);
        int count = Libc.POLL.call(polled.address(), Pipes.COUNT, millis(nanos));
        if (count < 0 && count != -Libc.EINTR) {
            throw Libc.failure("poll", -count);
        }
        if (count <= 0) {
            return 0;
        }
        return (isReady(polled, INPUT_END) ? INPUT : 0)
                | (isReady(polled, OUTPUT_END) ? OUTPUT : 0)
                | (isReady(polled, ERROR_END) ? ERRORS : 0);
    }

    /// @param descriptor ignored if it is negative
    private static void set(MemorySegment polled, int index, int descriptor, short events) {
        long at = Scratch.POLLED_BYTES * index;
        polled.set(ValueLayout.JAVA_INT, at, descriptor);
        polled.set(ValueLayout.JAVA_SHORT, at + 4, events);
        polled.set(ValueLayout.JAVA_SHORT, at + 6, (short) 0);
    }

    private static boolean isReady(MemorySegment polled, int index) {
        return polled.get(ValueLayout.JAVA_SHORT, Scratch.POLLED_BYTES * index + 6) != 0;
    }

    /// Rounded up: waits that end too early would spin.
    private static long millis(long nanos) {
        return Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
    }

    @Override
    public int write(byte[] bytes, int from, int to) throws IOException {
        if (descriptors[INPUT_END] < 0) {
            return -1;
        }
        int length = Math.min(to - from, Scratch.BYTES);
        MemorySegment buffer = Scratch.get().bytes();
        MemorySegment.copy(bytes, from, buffer, ValueLayout.JAVA_BYTE, 0, length);
        int count = Libc.WRITE.callRetrying(descriptors[INPUT_END], buffer.address(), length);
        if (count == -Libc.EAGAIN) {
            return 0;
        }
        if (count < 0) {
            closeInput(); // EPIPE
        }
        return Math.max(count, -1);
    }

    @Override
    public void closeInput() {
        close(INPUT_END);
    }

    @Override
    public int readOutput(byte[] to) throws IOException {
        return read(OUTPUT_END, to);
    }

    @Override
    public int readErrors(byte[] to) throws IOException {
        return read(ERROR_END, to);
    }

    private int read(int index, byte[] to) throws IOException {
        if (descriptors[index] < 0) {
            return -1;
        }
        MemorySegment buffer = Scratch.get().bytes();
        int most = Math.min(to.length, Scratch.BYTES);
        int count = Libc.READ.callRetrying(descriptors[index], buffer.address(), most);
        if (count == -Libc.EAGAIN) {
            return 0;
        }
        if (count < 0) {
            throw Libc.failure("read", -count);
        }
        if (count == 0) {
            close(index);
            return -1;
        }
        MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, to, 0, count);
        return count;
    }

    private void close(int index) {
        if (descriptors[index] >= 0) {
            Libc.CLOSE.call(descriptors[index]);
            descriptors[index] = -1;
        }
    }

    @Override
    public boolean awaitExit(long nanos) {
        if (reap() || nanos <= 0) {
            return isReaped();
        }
        long end = System.nanoTime() + nanos;
        int descriptor = Libc.SYSCALL.call(PIDFD_OPEN, pid, 0);
        try {
            for (long left = nanos; !reap() && left > 0; left = end - System.nanoTime()) {
                sleep(descriptor, left);
            }
        } finally {
            if (descriptor >= 0) {
                Libc.CLOSE.call(descriptor);
            }
        }
        return isReaped();
    }

    private void sleep(int descriptor, long nanos) {
        if (descriptor >= 0) {
            MemorySegment polled = Scratch.get().polled();
            set(polled, 0, descriptor, POLL_IN);
            Libc.POLL.call(polled.address(), 1, millis(nanos));
        } else {
            LockSupport.parkNanos(Math.min(nanos, POLL_NANOS));
        }
    }

    /// Reaps the process if it has exited.
    private synchronized boolean reap() {
        if (!isReaped) {
            // 0 while it runs; an error if it was reaped elsewhere: then it has exited, too.
            MemorySegment exit = Scratch.get().exit();
            int result = Libc.WAITPID.callRetrying(pid, exit.address(), NO_HANG);
            isReaped = result != 0;
            endSignal = result == pid ? exit.get(ValueLayout.JAVA_INT, 0) & SIGNAL_BITS : 0;
        }
        return isReaped;
    }

    @Override
    public synchronized int endSignal() {
        return endSignal;
    }

    private synchronized boolean isReaped() {
        return isReaped;
    }

    /// Until the process is reaped, its id is its process group's and cannot be reused.
    @Override
    public synchronized void kill() {
        if (!isReaped) {
            Libc.KILL.call(-pid, SIGKILL);
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < Pipes.COUNT; i++) {
            close(i);
        }
    }
}
