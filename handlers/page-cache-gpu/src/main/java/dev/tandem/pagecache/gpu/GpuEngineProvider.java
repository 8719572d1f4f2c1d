package dev.tandem.pagecache.gpu;

import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.EngineProvider;
import dev.tandem.pagecache.PageCodec;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Opens the engine `gpu` where native access is allowed, and a CUDA device and its libraries are
/// found: the CUDA runtime (version 12 or 13) and nvCOMP (version 6).
///
/// The system property `tandem.gpu.libraries` names folders of these libraries, separated as in
/// `PATH`; others are found as the system's loader finds them.
public final class GpuEngineProvider implements EngineProvider {
    /// Folders of the libraries.
    static final String LIBRARIES = "tandem.gpu.libraries";

    private static final List<String> CUDA = List.of("libcudart.so.12", "libcudart.so.13");
    private static final List<String> NVCOMP = List.of("libnvcomp.so.6");

    private final String folders;
    private final GpuOptions options;

    /// For [java.util.ServiceLoader].
    public GpuEngineProvider() {
        this(System.getProperty(LIBRARIES, ""), GpuOptions.DEFAULT);
    }

    GpuEngineProvider(String folders, GpuOptions options) {
        this.folders = folders;
        this.options = options;
    }

    @Override
    public String name() {
        return "gpu";
    }

    @Override
    public CompressionEngine open(PageCodec codec, int pageBytes) {
        if (!getClass().getModule().isNativeAccessEnabled()) {
            throw new IllegalStateException(
                    "the GPU engine needs native access: start java with"
                            + " --enable-native-access=ALL-UNNAMED");
        }
        return withinTime(() -> start(codec, pageBytes));
    }

    /// Calls the driver on a thread of its own, since a call that does not return cannot be ended:
    /// the thread stays. An engine that is there after all, too late, is closed.
    private CompressionEngine withinTime(Supplier<CompressionEngine> start) {
        var opened = new CompletableFuture<CompressionEngine>();
        var thread =
                new Thread(
                        () -> {
                            try {
                                opened.complete(start.get());
                            } catch (RuntimeException | Error e) {
                                opened.completeExceptionally(e);
                            }
                        },
                        "tandem-gpu-start");
        thread.setDaemon(true);
        thread.start();
        try {
            return opened.get(options.openMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw tooLate(opened, "has not started within " + options.openMillis() + " ms");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw tooLate(opened, "was starting when its start was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    private static IllegalStateException tooLate(
            CompletableFuture<CompressionEngine> opened, String what) {
        CompletableFuture<Void> _ = opened.thenAccept(CompressionEngine::close);
        return new IllegalStateException("no GPU can be used: its driver " + what);
    }

    private CompressionEngine start(PageCodec codec, int pageBytes) {
        try {
            var cuda = new Cuda(library(CUDA));
            if (cuda.deviceCount() <= options.device()) {
                throw new DeviceException("there is no CUDA device " + options.device());
            }
            return new GpuEngine(
                    cuda, Nvcomp.of(library(NVCOMP), codec.name()), codec, pageBytes, options);
        } catch (NoSuchElementException | DeviceException e) {
            throw new IllegalStateException("no GPU can be used: " + e.getMessage(), e);
        }
    }

    /// Never unloaded: threads of the driver may be in it.
    @SuppressWarnings("restricted") // native access is checked before
    private SymbolLookup library(List<String> names) {
        for (String name : names) {
            for (String folder : folders.split(File.pathSeparator)) {
                Path file = Path.of(folder, name);
                if (!folder.isEmpty() && Files.exists(file)) {
                    return SymbolLookup.libraryLookup(file, Arena.global());
                }
            }
        }
        for (String name : names) {
            try {
                return SymbolLookup.libraryLookup(name, Arena.global());
            } catch (IllegalArgumentException _) {
                // Not found: the next one.
            }
        }
        throw new NoSuchElementException(
                String.join(" or ", names)
                        + " is not found; -D"
                        + LIBRARIES
                        + "=DIR names its folder");
    }
}
