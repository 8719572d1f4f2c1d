package dev.tandem.pagecache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine like a coprocessor: it takes batches, processes them on other threads and in another
/// order, and sometimes reports no result for a page.
final class BatchEngine implements CompressionEngine {
    static final int BATCH = 8;

    private final PageCodec codec;
    private final ExecutorService elsewhere = Executors.newFixedThreadPool(2);
    private final AtomicInteger pages = new AtomicInteger();
    final AtomicInteger largest = new AtomicInteger();
    final AtomicInteger decompressed = new AtomicInteger();

    BatchEngine(PageCodec codec) {
        this.codec = codec;
    }

    @Override
    public PageCodec codec() {
        return codec;
    }

    @Override
    public EngineTraits traits() {
        return new EngineTraits(BATCH, 32, 30_000, false, true);
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void submit(List<PageJob> batch) {
        largest.accumulateAndGet(batch.size(), Math::max);
        List<PageJob> mixed = new ArrayList<>(batch);
        Collections.shuffle(mixed);
        mixed.forEach(job -> elsewhere.execute(() -> run(job)));
    }

    private void run(PageJob job) {
        ByteBuffer output = ByteBuffer.allocateDirect(job.resultMax());
        if (job.operation() == PageJob.Operation.DECOMPRESS) {
            codec.decompress(job.input(), output);
            decompressed.incrementAndGet();
        } else {
            output.limit(codec.compress(job.input(), output));
        }
        if (pages.incrementAndGet() % 512 == 0) {
            job.fail(new IllegalStateException("no result this time"));
        } else {
            boolean _ = job.complete(output, 0);
        }
    }

    @Override
    public void close() {
        elsewhere.shutdown();
    }
}
