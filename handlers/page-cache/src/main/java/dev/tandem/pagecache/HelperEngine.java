package dev.tandem.pagecache;

import com.github.luben.zstd.Zstd;
import dev.tandem.files.Coding;
import dev.tandem.http.Bounds;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/// Compresses and decompresses in a process of its own, with memory shared between both: a crash of
/// the codec's native code ends that process only, its memory is not the server's, and it can have
/// processors of its own. A process that ends, or takes too long, is started again.
final class HelperEngine implements PromptEngine {
    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    /// A process that has ended is started again after half a second, then one, up to 32.
    private static final long DELAY_MILLIS = 500;

    private static final int DELAY_DOUBLINGS_MAX = 6;

    /// A process that has run for a minute was not a failed start.
    private static final long STABLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /// A small heap: pages are not in it.
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xms8m",
                    "-Xmx24m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED");

    private final PageCodec codec;
    private final HelperOptions options;
    private final EngineTraits traits;
    private final List<String> command;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    /// Null while no process runs. Written by the thread that supervises it.
    private volatile @Nullable HelperLink link;

    HelperEngine(PageCodec codec, HelperOptions options) {
        this(codec, options, command(options));
    }

    /// @param command starts the process
    HelperEngine(PageCodec codec, HelperOptions options, List<String> command) {
        this.codec = codec;
        this.options = options;
        this.command = command;
        this.traits =
                new EngineTraits(
                        options.batchMax(),
                        options.inFlightMax(),
                        options.timeoutMillis(),
                        options.processors().isEmpty(),
                        options.decompresses());
        String name = HelperProcess.nameOf(codec);
        start("tandem-helper", () -> supervise(name));
        start("tandem-helper-watch", this::watch);
    }

    private void start(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private static List<String> command(HelperOptions options) {
        List<String> all = new ArrayList<>();
        if (!options.processors().isEmpty()) {
            all.addAll(List.of("taskset", "-c", options.processors()));
        }
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(JVM_OPTIONS);
        all.addAll(List.of("-cp", classPath(), HelperProcess.class.getName()));
        return all;
    }

    /// Returns where the classes are that the process needs.
    ///
    /// @throws IllegalStateException if they are not in files of their own
    private static String classPath() {
        Set<String> all = new LinkedHashSet<>();
        Class<?>[] needed = {
            HelperProcess.class, Zstd.class, LZ4Factory.class, Bounds.class, Coding.class
        };
        for (Class<?> type : needed) {
            all.add(location(type).toString());
        }
        return String.join(File.pathSeparator, all);
    }

    private static Path location(Class<?> type) {
        try {
            URI at = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(at);
        } catch (URISyntaxException | RuntimeException e) {
            throw new IllegalStateException(
                    "a helper process needs the classes of " + type.getName() + " in a file", e);
        }
    }

    @Override
    public PageCodec codec() {
        return codec;
    }

    @Override
    public EngineTraits traits() {
        return traits;
    }

    @Override
    public boolean isAvailable() {
        HelperLink current = link;
        return current != null && current.isOpen();
    }

    @Override
    public void submit(List<PageJob> batch) {
        HelperLink current = link;
        IOException cause = new IOException("no helper process runs");
        if (current != null) {
            try {
                current.submit(batch);
                return;
            } catch (IOException e) {
                cause = e;
            }
        }
        IOException failure = cause;
        batch.forEach(job -> job.fail(failure));
    }

    /// Returns the number of the process, or -1: for tests.
    long pid() {
        HelperLink current = link;
        return current == null ? -1 : current.pid();
    }

    private void supervise(String name) {
        int failures = 0;
        while (!isClosing(0)) {
            long begin = System.nanoTime();
            try {
                run(name);
            } catch (IOException e) {
                if (!isClosing(0)) {
                    LOG.log(Level.WARNING, "the helper process of the page cache has ended: " + e);
                }
            }
            failures = System.nanoTime() - begin > STABLE_NANOS ? 0 : failures + 1;
            int doublings = Math.clamp(failures - 1, 0, DELAY_DOUBLINGS_MAX);
            if (isClosing(DELAY_MILLIS << doublings)) {
                return;
            }
        }
    }

    private void run(String name) throws IOException {
        HelperLink started = HelperLink.start(command, name, options);
        Throwable cause = new IOException("the helper process has ended");
        try {
            link = started;
            started.read();
        } catch (IOException | RuntimeException | Error e) {
            cause = e;
            throw e;
        } finally {
            link = null;
            started.end(cause);
        }
    }

    /// Ends a process that takes too long.
    private void watch() {
        long nanos = TimeUnit.MILLISECONDS.toNanos(options.timeoutMillis());
        while (!isClosing(Math.max(1, options.timeoutMillis() / 2))) {
            HelperLink current = link;
            if (current != null && current.isLate(nanos)) {
                current.kill();
            }
        }
    }

    /// Waits for the end.
    ///
    /// @return whether it has come
    private boolean isClosing(long millis) {
        try {
            return closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            return closing.getCount() == 0;
        }
    }

    @Override
    public void close() {
        closing.countDown();
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                HelperLink current = link;
                if (current != null) {
                    current.kill();
                }
                try {
                    thread.join(50);
                } catch (InterruptedException _) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
