package dev.tandem.cgi.posix;

import dev.tandem.cgi.Program;
import dev.tandem.cgi.ScriptProcess;
import dev.tandem.cgi.Spawner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Starts programs by `posix_spawn`: the C library shares the JVM's memory with the child until
/// that executes the program (`CLONE_VM | CLONE_VFORK`), so that nothing is copied, and no helper
/// program is needed.
///
/// Requires Linux and a C library that can close all other descriptors in the child (glibc 2.34 of
/// 2021 or later): programs must not inherit the JVM's.
public final class PosixSpawner implements Spawner {
    private static final String NAME = "posix";

    private static final int FLAG_SIGNAL_DEFAULT = 0x04;
    private static final int FLAG_SIGNAL_MASK = 0x08;
    private static final int FLAG_SESSION = 0x80;

    /// Larger than in any C library: glibc has 80 bytes of file actions and 336 of attributes.
    private static final long ACTIONS_BYTES = 256;

    private static final long ATTRIBUTES_BYTES = 1_024;
    private static final long SIGNALS_BYTES = 128;

    /// Signals that the JVM or its parent process may ignore, which a program would inherit: HUP,
    /// INT, QUIT, PIPE, TERM, CHLD, TSTP, TTIN, TTOU.
    private static final int[] SIGNALS = {1, 2, 3, 13, 15, 17, 20, 21, 22};

    /// For [java.util.ServiceLoader].
    public PosixSpawner() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isUsable() {
        boolean isAllowed = PosixSpawner.class.getModule().isNativeAccessEnabled();
        return isAllowed && System.getProperty("os.name", "").equals("Linux") && isLinked();
    }

    /// Returns whether the C library has all functions needed: they are looked up when the first is
    /// used.
    private static boolean isLinked() {
        try {
            return Libc.values().length > 0;
        } catch (LinkageError _) {
            return false;
        }
    }

    @Override
    public ScriptProcess start(Program program) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            var pipes = Pipes.open(arena);
            try {
                int pid = spawn(arena, program, pipes);
                return new PosixProcess(pid, pipes, program.hasInput());
            } catch (IOException | RuntimeException | Error e) {
                pipes.closeParentEnds();
                throw e;
            } finally {
                pipes.closeChildEnds();
            }
        }
    }

    private static int spawn(Arena arena, Program program, Pipes pipes) throws IOException {
        MemorySegment actions = arena.allocate(ACTIONS_BYTES);
        check(Libc.ACTIONS_INIT.call(actions.address()));
        try {
            for (int i = 0; i < Pipes.COUNT; i++) {
                check(Libc.ACTIONS_DUP2.call(actions.address(), pipes.childEnd(i), i));
            }
            check(Libc.ACTIONS_CLOSE_FROM.call(actions.address(), Pipes.COUNT));
            MemorySegment folder = Libc.string(arena, bytes(program.folder().toString()));
            check(Libc.ACTIONS_CHDIR.call(actions.address(), folder.address()));
            MemorySegment path = Libc.string(arena, bytes(program.file().toString()));
            MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
            check(
                    Libc.SPAWN.call(
                            pid.address(),
                            path.address(),
                            actions.address(),
                            Attributes.ALWAYS.address(),
                            strings(arena, List.of(path)).address(),
                            environment(arena, program.environment()).address()));
            return pid.get(ValueLayout.JAVA_INT, 0);
        } finally {
            Libc.ACTIONS_DESTROY.call(actions.address());
        }
    }

    /// These functions return error numbers.
    private static void check(int error) throws IOException {
        if (error != 0) {
            throw Libc.failure("posix_spawn", Math.abs(error));
        }
    }

    private static MemorySegment environment(Arena arena, List<String> variables) {
        return strings(
                arena, variables.stream().map(variable -> Libc.string(arena, variable)).toList());
    }

    /// Returns a null-terminated array of pointers.
    private static MemorySegment strings(Arena arena, List<MemorySegment> strings) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, strings.size() + 1L);
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, strings.get(i).address());
        }
        return array;
    }

    private static String bytes(String path) {
        return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /// Attributes of all programs: a session of their own, and default signal handling.
    private static final class Attributes {
        static final MemorySegment ALWAYS = make();

        private static MemorySegment make() {
            MemorySegment attributes = Arena.global().allocate(ATTRIBUTES_BYTES);
            long at = attributes.address();
            int flags = FLAG_SESSION | FLAG_SIGNAL_MASK | FLAG_SIGNAL_DEFAULT;
            MemorySegment none = Arena.global().allocate(SIGNALS_BYTES, Long.BYTES);
            MemorySegment some = Arena.global().allocate(SIGNALS_BYTES, Long.BYTES);
            long set = 0;
            for (int signal : SIGNALS) {
                set |= 1L << signal - 1;
            }
            some.set(ValueLayout.JAVA_LONG, 0, set);
            int failed =
                    Libc.ATTRIBUTES_INIT.call(at)
                            | Libc.ATTRIBUTES_FLAGS.call(at, flags)
                            | Libc.ATTRIBUTES_MASK.call(at, none.address())
                            | Libc.ATTRIBUTES_DEFAULT.call(at, some.address());
            if (failed != 0) {
                throw new IllegalStateException("posix_spawnattr: error " + failed);
            }
            return attributes;
        }
    }
}
