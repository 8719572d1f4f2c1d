package dev.tandem.cgi.posix;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The three pipes of a process being started: standard input, output and error. All ends are
/// close-on-exec; the parent's ends do not block.
final class Pipes {
    static final int COUNT = 3;

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int NON_BLOCKING = 0x800;
    private static final int SET_FLAGS = 4;

    private final int[] parentEnd = {-1, -1, -1};
    private final int[] childEnd = {-1, -1, -1};

    private Pipes() {}

    /// @throws IOException if there are no free descriptors
    static Pipes open(Arena arena) throws IOException {
        var pipes = new Pipes();
        MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
        try {
            for (int i = 0; i < COUNT; i++) {
                pipes.open(i, ends);
            }
            return pipes;
        } catch (IOException e) {
            pipes.closeParentEnds();
            pipes.closeChildEnds();
            throw e;
        }
    }

    private void open(int index, MemorySegment ends) throws IOException {
        check(Libc.PIPE2.call(ends.address(), CLOSE_ON_EXEC));
        int reading = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
        int writing = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
        parentEnd[index] = index == 0 ? writing : reading;
        childEnd[index] = index == 0 ? reading : writing;
        if (Math.min(reading, writing) < COUNT) {
            // The child would confuse them with its standard streams.
            throw new IOException("this process has no standard streams of its own");
        }
        check(Libc.FCNTL.call(parentEnd[index], SET_FLAGS, NON_BLOCKING));
    }

    private static void check(int result) throws IOException {
        if (result < 0) {
            throw Libc.failure("pipe", -result);
        }
    }

    /// Returns this process's end of pipe `index`: 0 input, 1 output, 2 error.
    int parentEnd(int index) {
        return parentEnd[index];
    }

    int childEnd(int index) {
        return childEnd[index];
    }

    void closeChildEnds() {
        close(childEnd);
    }

    void closeParentEnds() {
        close(parentEnd);
    }

    private static void close(int[] ends) {
        for (int i = 0; i < COUNT; i++) {
            if (ends[i] >= 0) {
                Libc.CLOSE.call(ends[i]);
                ends[i] = -1;
            }
        }
    }
}
