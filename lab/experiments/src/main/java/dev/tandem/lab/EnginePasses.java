package dev.tandem.lab;

import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageJob;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Gives pages to an engine as the page cache does: copies each page for it, and copies its result.
/// An engine without threads of its own runs on the calling thread, without copies. Confined to one
/// thread.
final class EnginePasses {
    private static final int PATIENCE_SECONDS = 30;

    private final CompressionEngine engine;
    private final List<ByteBuffer> pages;
    private final List<ByteBuffer> compressed = new ArrayList<>();
    private int next;

    EnginePasses(CompressionEngine engine, List<ByteBuffer> pages) {
        this.engine = engine;
        this.pages = pages;
        for (ByteBuffer page : pages) {
            ByteBuffer output = output(page.remaining());
            output.limit(engine.codec().compress(page, output));
            var kept = ByteBuffer.allocateDirect(output.remaining());
            compressed.add(kept.put(output).flip());
        }
    }

    private ByteBuffer output(int length) {
        return ByteBuffer.allocateDirect(engine.codec().compressedMax(length));
    }

    /// What a number of pages took.
    ///
    /// @param rate gigabytes of uncompressed pages per second
    /// @param latencyMicros mean time until a page of a batch was there
    /// @param hostMicros processor time of this process for a page
    record Result(double rate, double latencyMicros, double hostMicros) {}

    /// Returns the compressed size as a share of the original.
    double ratio() {
        long before = pages.stream().mapToLong(ByteBuffer::remaining).sum();
        return (double) compressed.stream().mapToLong(ByteBuffer::remaining).sum() / before;
    }

    /// Processes batches, one after the other.
    Result run(PageJob.Operation operation, int batch, double seconds)
            throws LabException, InterruptedException {
        var slots = new ArrayList<Slot>(batch);
        for (int i = 0; i < batch; i++) {
            slots.add(new Slot(operation));
        }
        long usedBefore = ThreadUse.nanos(_ -> true);
        long begin = System.nanoTime();
        long waited = 0;
        long count = 0;
        while (System.nanoTime() - begin < seconds * 1e9) {
            waited += engine.traits().inFlightMax() == 0 ? here(slots) : elsewhere(slots);
            count += batch;
        }
        long nanos = System.nanoTime() - begin;
        long used = ThreadUse.nanos(_ -> true) - usedBefore;
        double bytes = (double) count * pages.getFirst().remaining();
        return new Result(bytes / nanos, waited / 1e3 / count, used / 1e3 / count);
    }

    /// A place for a page in progress.
    private final class Slot implements PageJob.Receiver {
        private final PageJob.Operation operation;
        private final ByteBuffer input = output(pages.getFirst().remaining());
        private final ByteBuffer result = output(pages.getFirst().remaining());
        private final AtomicLong endNanos = new AtomicLong();
        private volatile @Nullable Throwable failure;
        private volatile CountDownLatch ended = new CountDownLatch(1);

        Slot(PageJob.Operation operation) {
            this.operation = operation;
        }

        ByteBuffer page(int index) {
            return (operation == PageJob.Operation.COMPRESS ? pages : compressed)
                    .get(index)
                    .duplicate();
        }

        PageJob job(int index, CountDownLatch latch) {
            ended = latch;
            input.clear().put(page(index)).flip();
            int length = pages.get(index).remaining();
            int max =
                    operation == PageJob.Operation.COMPRESS
                            ? engine.codec().compressedMax(length)
                            : length;
            return PageJob.of(operation, input, max, this);
        }

        @Override
        public void completed(ByteBuffer bytes, long processorNanos) {
            result.clear().put(bytes);
            endNanos.set(System.nanoTime());
            ended.countDown();
        }

        @Override
        public void failed(Throwable cause) {
            failure = cause;
            ended.countDown();
        }
    }

    private int advance() {
        next = (next + 1) % pages.size();
        return next;
    }

    /// Returns the sum of the pages' times, in nanoseconds.
    private long elsewhere(List<Slot> slots) throws LabException, InterruptedException {
        long begin = System.nanoTime();
        var latch = new CountDownLatch(slots.size());
        var batch = new ArrayList<PageJob>(slots.size());
        for (Slot slot : slots) {
            batch.add(slot.job(advance(), latch));
        }
        int most = engine.traits().batchMax();
        for (int from = 0; from < batch.size(); from += most) {
            engine.submit(batch.subList(from, Math.min(batch.size(), from + most)));
        }
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new LabException("the engine does not end");
        }
        long waited = 0;
        for (Slot slot : slots) {
            if (slot.failure != null) {
                throw new LabException("the engine fails: " + slot.failure);
            }
            waited += slot.endNanos.get() - begin;
        }
        return waited;
    }

    private long here(List<Slot> slots) {
        long begin = System.nanoTime();
        long waited = 0;
        for (Slot slot : slots) {
            int index = advance();
            if (slot.operation == PageJob.Operation.COMPRESS) {
                int _ = engine.codec().compress(slot.page(index), slot.result.clear());
            } else {
                int length = pages.get(index).remaining();
                engine.codec().decompress(slot.page(index), slot.result.clear().limit(length));
            }
            waited += System.nanoTime() - begin;
        }
        return waited;
    }
}
