package dev.tandem.pagecache;

import dev.tandem.http.Bounds;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs a codec on threads of its own, each with a buffer for its results.
final class WorkerEngine implements CompressionEngine {
    private static final int THREADS_MAX = 64;

    /// Pages in progress for each thread: enough that none waits for the next batch.
    private static final int IN_FLIGHT_A_THREAD = 16;

    private static final int BATCH = 4;

    /// A compressed page of 64 KiB may be a little larger.
    private static final int BUFFER_BYTES = 68 << 10;

    /// Threads of the lowest priority may wait long for a processor.
    private static final int TIMEOUT_MILLIS = 5_000;

    /// How long [#close()] waits for pages in progress, in seconds.
    private static final int CLOSE_SECONDS = 30;

    private final PageCodec codec;
    private final EngineTraits traits;
    private final ThreadPoolExecutor threads;
    private final ArrayBlockingQueue<ByteBuffer> kept;

    WorkerEngine(PageCodec codec, int threads) {
        Bounds.check("threads", threads, 1, THREADS_MAX);
        this.codec = codec;
        this.traits =
                new EngineTraits(BATCH, threads * IN_FLIGHT_A_THREAD, TIMEOUT_MILLIS, true, true);
        this.kept = new ArrayBlockingQueue<>(threads);
        var count = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> thread(task, count.getAndIncrement()));
    }

    private static Thread thread(Runnable task, int index) {
        var thread = new Thread(task, "tandem-codec-" + index);
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        return thread;
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
        return !threads.isShutdown();
    }

    @Override
    public void submit(List<PageJob> batch) {
        for (PageJob job : batch) {
            threads.execute(() -> run(job));
        }
    }

    private void run(PageJob job) {
        if (job.isOver()) {
            return;
        }
        ByteBuffer output = buffer(job.resultMax());
        try {
            long begin = System.nanoTime();
            output.limit(length(job, output));
            boolean _ = job.complete(output, System.nanoTime() - begin);
        } catch (RuntimeException | Error e) {
            job.fail(e);
        } finally {
            boolean _ = kept.offer(output);
        }
    }

    private int length(PageJob job, ByteBuffer output) {
        ByteBuffer input = job.input();
        if (job.operation() == PageJob.Operation.COMPRESS) {
            return codec.compress(input, output);
        }
        codec.decompress(input, output);
        return output.limit();
    }

    /// Returns a buffer with `length` bytes remaining.
    private ByteBuffer buffer(int length) {
        ByteBuffer pooled = kept.poll();
        if (pooled == null || pooled.capacity() < length) {
            return ByteBuffer.allocateDirect(Math.max(length, BUFFER_BYTES)).limit(length);
        }
        return pooled.clear().limit(length);
    }

    /// Pages in progress are completed.
    @Override
    public void close() {
        threads.shutdown();
        boolean isInterrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        while (!threads.isTerminated() && System.nanoTime() < deadline) {
            try {
                boolean _ = threads.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
