package dev.tandem.pagecache.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The libraries of `src/test/c/standin.c`, compiled by the machine's C compiler.
@SuppressWarnings("restricted") // native access is enabled for tests
final class StandIn {
    /// In the order of `enum fault`.
    enum Fault {
        NONE,
        NO_DEVICES,
        OLD_VERSION,
        MALLOC,
        COPY,
        LAUNCH,
        LATE_ERROR,
        WRONG_BYTES,
        WRONG_LENGTH,
        STATUS,
        HANG,
        HANG_IN_CALL,
        HANG_AT_START
    }

    private static final Path SOURCE = Path.of("src/test/c/standin.c");
    private static final int COMPILE_SECONDS = 60;

    private final Path folder;
    private final SymbolLookup library;

    /// @param folder stays as long as the process
    private StandIn(Path folder) {
        this.folder = folder;
        this.library = SymbolLookup.libraryLookup(folder.resolve("libnvcomp.so.6"), Arena.global());
    }

    /// Skips the test where there is no C compiler.
    static StandIn compile(Path folder) throws IOException, InterruptedException {
        boolean isHere = Files.isExecutable(Path.of("/usr/bin/cc"));
        assumeTrue(isHere, "skipped: the stand-in of nvCOMP needs /usr/bin/cc");
        Path target = folder.resolve("libnvcomp.so.6");
        Process compiler =
                new ProcessBuilder(
                                "/usr/bin/cc",
                                "-Wall",
                                "-Werror",
                                "-O1",
                                "-shared",
                                "-fPIC",
                                "-o",
                                target.toString(),
                                SOURCE.toString(),
                                "-lpthread")
                        .inheritIO()
                        .start();
        assertTrue(compiler.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS));
        assertEquals(0, compiler.exitValue());
        Files.createSymbolicLink(folder.resolve("libcudart.so.12"), target);
        return new StandIn(folder);
    }

    GpuEngineProvider provider(GpuOptions options) {
        return new GpuEngineProvider(folder.toString(), options);
    }

    /// Causes a fault at the calls that can have it, after `skip` of them; [Fault#NONE] ends it.
    void cause(Fault fault, int skip) {
        try {
            Linker.nativeLinker()
                    .downcallHandle(
                            library.findOrThrow("standin_fault"),
                            FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                    .invokeExact(fault.ordinal(), skip);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /// Returns the number of allocations and streams that were not freed.
    int live() {
        return number("standin_live");
    }

    /// Returns the number of pages of the largest batch so far.
    int largest() {
        return number("standin_largest");
    }

    private int number(String name) {
        try {
            return (int)
                    Linker.nativeLinker()
                            .downcallHandle(
                                    library.findOrThrow(name),
                                    FunctionDescriptor.of(ValueLayout.JAVA_INT))
                            .invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
