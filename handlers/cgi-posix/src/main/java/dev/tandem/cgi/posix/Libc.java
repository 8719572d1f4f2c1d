package dev.tandem.cgi.posix;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The functions of the C library in use, all called through one method handle, which takes the
/// function's address and six integers; a function reads as many as it has parameters. Linking
/// costs tens of milliseconds for each signature.
///
/// Thread safe. Functions that wait pin the carrier of a virtual thread.
enum Libc {
    CLOSE("close"),
    FCNTL("fcntl"),
    KILL("kill"),
    PIPE2("pipe2"),
    POLL("poll"),
    READ("read"),
    SPAWN("posix_spawn"),
    ACTIONS_INIT("posix_spawn_file_actions_init"),
    ACTIONS_DUP2("posix_spawn_file_actions_adddup2"),
    ACTIONS_CHDIR("posix_spawn_file_actions_addchdir_np"),
    ACTIONS_CLOSE_FROM("posix_spawn_file_actions_addclosefrom_np"),
    ACTIONS_DESTROY("posix_spawn_file_actions_destroy"),
    ATTRIBUTES_INIT("posix_spawnattr_init"),
    ATTRIBUTES_FLAGS("posix_spawnattr_setflags"),
    ATTRIBUTES_MASK("posix_spawnattr_setsigmask"),
    ATTRIBUTES_DEFAULT("posix_spawnattr_setsigdefault"),
    STRERROR("strerror"),
    SYSCALL("syscall"),
    WAITPID("waitpid"),
    WRITE("write");

    static final int EINTR = 4;
    static final int EAGAIN = 11;

    private final MemorySegment function;

    Libc(String name) {
        function = Link.LINKER.defaultLookup().findOrThrow(name);
    }

    /// Calls the function.
    ///
    /// @param arguments at most six; addresses as numbers
    /// @return the result, which is an `int` for all but a few functions, or the negated error
    ///     number if it is -1
    int call(long... arguments) {
        long[] a = Arrays.copyOf(arguments, 6);
        MemorySegment state = Scratch.get().errno();
        try {
            long result =
                    (long)
                            Link.HANDLE.invokeExact(
                                    function, state, a[0], a[1], a[2], a[3], a[4], a[5]);
            return (int) result == -1 ? -state.get(ValueLayout.JAVA_INT, 0) : (int) result;
        } catch (Throwable t) {
            throw new AssertionError("a downcall handle throws nothing", t);
        }
    }

    /// Calls the function again for as long as a signal interrupts it.
    int callRetrying(long... arguments) {
        int result = call(arguments);
        while (result == -EINTR) {
            result = call(arguments);
        }
        return result;
    }

    /// @param error an error number
    static IOException failure(String what, int error) {
        return new IOException(what + ": " + message(error));
    }

    @SuppressWarnings("restricted") // this module has native access
    private static String message(int error) {
        try {
            var shape =
                    (long)
                            Link.HANDLE.invokeExact(
                                    STRERROR.function,
                                    Scratch.get().errno(),
                                    (long) error,
                                    0L,
                                    0L,
                                    0L,
                                    0L,
                                    0L);
            return MemorySegment.ofAddress(shape).reinterpret(256).getString(0);
        } catch (Throwable t) {
            throw new AssertionError("a downcall handle throws nothing", t);
        }
    }

    /// Returns a null-terminated string.
    ///
    /// @param text each character stands for one byte
    static MemorySegment string(Arena arena, String text) {
        return arena.allocateFrom(text, StandardCharsets.ISO_8859_1);
    }

    /// A class of its own, because an enum's constants are initialized before its other fields.
    private static final class Link {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
        static final Linker LINKER = Linker.nativeLinker();
        static final MethodHandle HANDLE = link();

        @SuppressWarnings("restricted") // this module has native access
        private static MethodHandle link() {
            return LINKER.downcallHandle(
                    FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG),
                    Linker.Option.captureCallState("errno"));
        }
    }
}
