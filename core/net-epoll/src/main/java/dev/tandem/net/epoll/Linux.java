package dev.tandem.net.epoll;

import dev.tandem.net.IoBuffer;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// System calls, all through one method handle for the C library's `syscall(2)`: linking a handle
/// costs tens of milliseconds at start-up for each argument shape, and this is a single shape.
///
/// Memory is accessed through direct buffers: each kind of access to a memory segment takes
/// milliseconds to link at start-up.
///
/// No call blocks except `epoll_pwait`, which must not be called from a virtual thread, because it
/// would pin its carrier. Thread-safe.
final class Linux {
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int ENOSYS = 38;
    static final int EADDRNOTAVAIL = 99;
    static final int ECONNABORTED = 103;
    static final int ENOBUFS = 105;
    static final int ECONNREFUSED = 111;
    static final int EINPROGRESS = 115;

    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MethodHandle SYSCALL = link();
    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private Linux() {}

    @SuppressWarnings("restricted") // native access is enabled for this module
    private static MethodHandle link() {
        Linker linker = Linker.nativeLinker();
        var shape =
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG);
        return linker.downcallHandle(linker.defaultLookup().findOrThrow("syscall"), shape, ERRNO);
    }

    /// Makes a system call with up to three arguments.
    ///
    /// @return the result of the call, or its negated error number
    static long call(int number, long a, long b, long c) {
        return call(number, a, b, c, 0, 0, 0);
    }

    /// Makes a system call with up to six arguments, the maximum.
    ///
    /// @return the result of the call, or its negated error number
    static long call(int number, long a, long b, long c, long d, long e, long f) {
        Scratch scratch = SCRATCH.get();
        try {
            long result =
                    (long) SYSCALL.invokeExact(scratch.state, (long) number, a, b, c, d, e, f);
            return result == -1 ? -scratch.errno.getInt(0) : result;
        } catch (Throwable t) {
            throw new AssertionError("a system call handle throws nothing", t);
        }
    }

    /// Returns native memory for arguments, one buffer per thread; its content is overwritten by
    /// the next use.
    static IoBuffer scratch() {
        return SCRATCH.get().arguments;
    }

    /// Returns the message for an error number, with the text of strerror(3) for the relevant ones.
    static String message(long error) {
        return switch ((int) error) {
            case 1 -> "operation not permitted";
            case 2 -> "no such file or directory";
            case 9 -> "bad file descriptor";
            case ENOMEM -> "out of memory";
            case 13 -> "permission denied";
            case ENFILE -> "too many open files in the system";
            case EMFILE -> "too many open files";
            case 32 -> "broken pipe";
            case 40 -> "too many symbolic links";
            case 97 -> "address family not supported";
            case 98 -> "address already in use";
            case EADDRNOTAVAIL -> "no such address on this machine";
            case 101 -> "network unreachable";
            case 104 -> "connection reset by peer";
            case ENOBUFS -> "no buffer space";
            case 110 -> "connection timed out";
            case ECONNREFUSED -> "connection refused";
            case 113 -> "no route to the host";
            default -> "error number " + error;
        };
    }

    private static final class Scratch {
        private static final int SIZE = 8192;
        private final ByteBuffer errno;
        private final MemorySegment state;
        private final IoBuffer arguments = new IoBuffer(SIZE);

        Scratch() {
            // On Linux the captured state is only errno.
            int size = (int) Linker.Option.captureStateLayout().byteSize();
            errno = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
            state = MemorySegment.ofBuffer(errno);
            arguments.bytes().order(ByteOrder.nativeOrder());
        }
    }
}
