package dev.tandem.pagecache.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/// The batch functions of nvCOMP 6 for one format (`lz4.h`, `zstd.h` and `shared_types.h` of
/// nvCOMP 6.0.0.12). Versions before 6 have other parameters. Thread safe.
///
/// All options of both formats are structures of 64 bytes whose defaults are zero bytes, and larger
/// than what any calling convention passes in registers; so one layout serves for all.
final class Nvcomp {
    private static final int MAJOR = 6;

    /// `MAKE_SEMANTIC_VERSION`.
    private static final int MAJOR_FACTOR = 1_000;

    private static final int MINOR_FACTOR = 100;

    private static final MemoryLayout OPTIONS =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(16, ValueLayout.JAVA_INT));

    private final MemorySegment defaults = Arena.global().allocate(OPTIONS);
    private final NativeFunction compressTemp;
    private final NativeFunction compressMax;
    private final NativeFunction compress;
    private final NativeFunction decompressTemp;
    private final NativeFunction decompress;

    private Nvcomp(SymbolLookup library, String format) {
        var pointer = ValueLayout.JAVA_LONG;
        var size = ValueLayout.JAVA_LONG;
        String prefix = "nvcompBatched" + format;
        compressTemp =
                new NativeFunction(
                        library,
                        prefix + "CompressGetTempSize",
                        size,
                        size,
                        OPTIONS,
                        pointer,
                        size,
                        pointer);
        compressMax =
                new NativeFunction(
                        library, prefix + "CompressGetMaxOutputChunkSize", size, OPTIONS, pointer);
        compress =
                new NativeFunction(
                        library,
                        prefix + "CompressAsync",
                        pointer,
                        pointer,
                        size,
                        size,
                        pointer,
                        size,
                        pointer,
                        pointer,
                        OPTIONS,
                        pointer,
                        pointer);
        decompressTemp =
                new NativeFunction(
                        library,
                        prefix + "DecompressGetTempSize",
                        size,
                        size,
                        OPTIONS,
                        pointer,
                        size,
                        pointer);
        decompress =
                new NativeFunction(
                        library,
                        prefix + "DecompressAsync",
                        pointer,
                        pointer,
                        pointer,
                        pointer,
                        size,
                        pointer,
                        size,
                        pointer,
                        OPTIONS,
                        pointer,
                        pointer);
    }

    /// Returns the functions for a codec of the page cache.
    ///
    /// @param codec `lz4` or `zstd`
    /// @throws IllegalArgumentException if it is another codec
    /// @throws DeviceException if it is another version of nvCOMP
    /// @throws java.util.NoSuchElementException if the library lacks a function
    static Nvcomp of(SymbolLookup library, String codec) {
        String format =
                switch (codec) {
                    case "lz4" -> "LZ4";
                    case "zstd" -> "Zstd";
                    default ->
                            throw new IllegalArgumentException(
                                    "the GPU engine has lz4 and zstd, not " + codec);
                };
        checkVersion(library);
        return new Nvcomp(library, format);
    }

    private static void checkVersion(SymbolLookup library) {
        var properties = new NativeFunction(library, "nvcompGetProperties", ValueLayout.JAVA_LONG);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_INT, 2);
            check(properties, result.address());
            int version = result.get(ValueLayout.JAVA_INT, 0);
            if (version / MAJOR_FACTOR != MAJOR) {
                throw new DeviceException(
                        "nvCOMP "
                                + version / MAJOR_FACTOR
                                + "."
                                + version % MAJOR_FACTOR / MINOR_FACTOR
                                + " is installed, and version "
                                + MAJOR
                                + " is needed");
            }
        }
    }

    /// Returns the bytes that a compressed page may have.
    long compressedMax(long pageBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(compressMax, pageBytes, defaults, result.address());
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /// Returns the bytes of the device that a batch needs while it is processed, either way.
    long tempBytes(long pages, long pageBytes, long stream) {
        return Math.max(
                tempBytes(compressTemp, pages, pageBytes, stream),
                tempBytes(decompressTemp, pages, pageBytes, stream));
    }

    private long tempBytes(NativeFunction function, long pages, long pageBytes, long stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            long total = pages * pageBytes;
            check(function, pages, pageBytes, defaults, result.address(), total, stream);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /// A batch in memory of the device.
    ///
    /// @param pages number of pages
    /// @param pageBytes maximum length of an uncompressed page
    /// @param inputs array of pointers
    /// @param inputBytes array of lengths
    /// @param outputs array of pointers
    /// @param outputMax array of lengths, used for decompression
    /// @param outputBytes array for the lengths of the results
    /// @param statuses array for an int for each page
    /// @param temp memory of [#tempBytes]
    /// @param tempBytes its length
    record Batch(
            long pages,
            long pageBytes,
            long inputs,
            long inputBytes,
            long outputs,
            long outputMax,
            long outputBytes,
            long statuses,
            long temp,
            long tempBytes) {}

    /// Queues the compression of a batch.
    void compress(Batch batch, long stream) {
        check(
                compress,
                batch.inputs,
                batch.inputBytes,
                batch.pageBytes,
                batch.pages,
                batch.temp,
                batch.tempBytes,
                batch.outputs,
                batch.outputBytes,
                defaults,
                batch.statuses,
                stream);
    }

    /// Queues the decompression of a batch.
    void decompress(Batch batch, long stream) {
        check(
                decompress,
                batch.inputs,
                batch.inputBytes,
                batch.outputMax,
                batch.outputBytes,
                batch.pages,
                batch.temp,
                batch.tempBytes,
                batch.outputs,
                defaults,
                batch.statuses,
                stream);
    }

    private static void check(NativeFunction function, Object... arguments) {
        int status = function.call(arguments);
        if (status != 0) {
            throw new DeviceException(function.name() + " failed with status " + status);
        }
    }
}
