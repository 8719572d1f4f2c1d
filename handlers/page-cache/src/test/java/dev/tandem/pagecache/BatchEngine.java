package dev.tandem.pagecache;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine like a coprocessor: it takes batches, processes them on other threads and in another
/// order, and sometimes reports no result for a page.
final class BatchEngine implements CompressionEngine, AutoCloseable {
    static final int BATCH = 8;

    private final PageCodec codec;
    private final ExecutorService elsewhere = Executors.newFixedThreadPool(2);
    private final AtomicInteger pages = new AtomicInteger();
    final AtomicInteger largest = new AtomicInteger();

    BatchEngine(PageCodec codec) {
        this.codec = codec;
    }

    @Override
    public PageCodec codec() {
        return codec;
    }

    @Override
    public int batchMax() {
        return BATCH;
    }

    @Override
    public void compress(List<CompressionJob> batch) {
        largest.accumulateAndGet(batch.size(), Math::max);
        List<CompressionJob> mixed = new ArrayList<>(batch);
        Collections.shuffle(mixed);
        CompletableFuture.allOf(
                        mixed.stream()
                                .map(job -> CompletableFuture.runAsync(() -> run(job), elsewhere))
                                .toArray(CompletableFuture[]::new))
                .join();
    }

    private void run(CompressionJob job) {
        if (pages.incrementAndGet() % 16 != 0) {
            job.complete(codec.compress(job.page(), job.output()));
        }
    }

    @Override
    public void close() {
        elsewhere.shutdown();
    }
}
