package dev.tandem.lab;

import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.HelperOptions;
import dev.tandem.pagecache.PageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// The engines that `offload` compares, by their names, such as `helper lz4`.
final class OffloadEngines {
    static final String CODEC = "codec zstd";
    static final String WORKERS = "workers zstd";
    static final String HELPER = "helper zstd";

    /// Decompresses elsewhere, too; elsewhere the engine only compresses.
    static final String HELPER_BOTH = "helper zstd, both ways";

    static final String VECTOR = "codec lz4 by vectors";

    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    private static final String VECTOR_CODEC = "lz4-vector";

    private static final int IN_FLIGHT = 128;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int READY_SECONDS = 20;

    private OffloadEngines() {}

    /// Returns the engines that are measured alone.
    static List<String> alone() {
        var names =
                new ArrayList<>(
                        List.of(CODEC, WORKERS, HELPER, "codec lz4", "workers lz4", "helper lz4"));
        if (hasVectors()) {
            names.add(VECTOR);
        }
        return names;
    }

    /// Whether this JVM was started with `--add-modules jdk.incubator.vector`.
    static boolean hasVectors() {
        return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent();
    }

    private static PageCodec vectorCodec() throws LabException {
        for (PageCodec codec : ServiceLoader.load(PageCodec.class)) {
            if (codec.name().equals(VECTOR_CODEC)) {
                return codec;
            }
        }
        throw new LabException("the codec by vectors is missing");
    }

    /// @param processors for a helper process, as `taskset` takes them; empty for all
    /// @throws LabException if the engine does not become ready
    static CompressionEngine start(String name, String processors)
            throws LabException, InterruptedException {
        if (name.equals(VECTOR)) {
            return CompressionEngine.of(vectorCodec());
        }
        PageCodec codec = name.contains("lz4") ? PageCodec.lz4() : PageCodec.zstd(1);
        if (name.startsWith("codec")) {
            return CompressionEngine.of(codec);
        }
        if (name.startsWith("workers")) {
            return CompressionEngine.workers(codec, 1);
        }
        boolean isBoth = name.equals(HELPER_BOTH);
        var options = new HelperOptions(processors, 1, IN_FLIGHT, 64, isBoth, TIMEOUT_MILLIS);
        CompressionEngine helper = CompressionEngine.helper(codec, options);
        long begin = System.nanoTime();
        while (!helper.isAvailable()) {
            if (System.nanoTime() - begin > READY_SECONDS * 1_000_000_000L) {
                helper.close();
                throw new LabException("the helper process does not start");
            }
            Thread.sleep(10);
        }
        return helper;
    }
}
