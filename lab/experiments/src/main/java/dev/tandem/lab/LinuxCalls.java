package dev.tandem.lab;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Functions of Linux' C library, for network devices and network namespaces.
final class LinuxCalls {
    /// The flag of a network namespace.
    static final int NEW_NETWORK = 0x4000_0000;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final Linker LINKER = Linker.nativeLinker();

    static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT));
    static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(INT, INT));
    static final MethodHandle IOCTL =
            function("ioctl", FunctionDescriptor.of(INT, INT, LONG, ValueLayout.ADDRESS));
    static final MethodHandle UNSHARE = function("unshare", FunctionDescriptor.of(INT, INT));
    static final MethodHandle SETNS = function("setns", FunctionDescriptor.of(INT, INT, INT));
    static final MethodHandle POLL =
            function("poll", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, INT));
    static final MethodHandle READ =
            function("read", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG));
    static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG));

    private LinuxCalls() {}

    @SuppressWarnings("restricted") // the laboratory's JVM has native access
    private static MethodHandle function(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
    }

    static int call(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError("a function of the C library throws nothing", e);
        }
    }

    static long callLong(MethodHandle function, Object... arguments) {
        try {
            return (long) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError("a function of the C library throws nothing", e);
        }
    }

    /// @param result of a call
    /// @param what it was for
    /// @throws IOException if the call failed
    static int require(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + " failed; needs root");
        }
        return result;
    }
}
