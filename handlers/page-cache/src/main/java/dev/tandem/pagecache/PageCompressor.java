package dev.tandem.pagecache;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Compresses pages that were removed from the eviction order, and decompresses requested pages: by
/// the codec on the calling thread, or by an engine. Thread safe.
final class PageCompressor {
    /// Seven eighths: a smaller saving does not justify decompression at each hit.
    private static final double RATIO_MAX = 0.875;

    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private final CacheContext context;
    private final PageCodec codec;
    private final Governor governor;
    private final Offload offload;
    private final PromotionPolicy promotion;

    PageCompressor(CacheContext context, PageCodec codec, Governor governor, Offload offload) {
        this.context = context;
        this.codec = codec;
        this.governor = governor;
        this.offload = offload;
        this.promotion = new PromotionPolicy(context.counters());
    }

    PageCodec codec() {
        return codec;
    }

    Offload offload() {
        return offload;
    }

    /// Updates the governor's view of processor load, if due, and of the engine. Must not be called
    /// under the lock.
    void updateGovernor() {
        governor.update();
        offload.checkAvailable();
    }

    /// Returns the maximum number of pages for [#compressInBackground].
    int batchMax() {
        return offload.traits().batchMax();
    }

    /// Returns whether to compress a page by the codec instead of evicting it. Called under the
    /// lock.
    boolean shouldCompress(Page victim) {
        return context.residents().isWorthCompressing(victim) && mayUseProcessor();
    }

    private boolean mayUseProcessor() {
        if (governor.canCompress()) {
            return true;
        }
        context.counters().skipped.increment();
        return false;
    }

    /// Returns whether to compress a page in the background instead of evicting it: also while the
    /// processors are busy, if the engine does not use them. Called under the lock.
    boolean shouldCompressInBackground(Page victim) {
        return context.residents().isWorthCompressing(victim) && (isFree() || mayUseProcessor());
    }

    private boolean isFree() {
        return !offload.traits().usesServingProcessors()
                && offload.mayTake(PageJob.Operation.COMPRESS);
    }

    /// Returns whether to keep a compressed page uncompressed from now on. Another page has to be
    /// compressed for it, which takes processor time, unless there is memory to spare.
    boolean shouldPromote(Page page) {
        if (context.options().replacement() == Replacement.LRU) {
            return true; // as in Beltran's thesis
        }
        return page.hits >= promotion.requiredHits()
                && (governor.hasSurplus() || context.residents().hasSpareFrames());
    }

    /// Compresses pages on the calling thread. The caller has removed them from the order and
    /// pinned them; the pins are released afterwards, even after a failure. Pages requested in the
    /// meantime stay uncompressed.
    ///
    /// @param isEvicting whether incompressible pages are evicted; otherwise they stay
    void compress(List<Page> pages, boolean isEvicting) {
        for (Page page : pages) {
            compress(page, isEvicting);
        }
    }

    private void compress(Page page, boolean isEvicting) {
        long begin = System.nanoTime();
        Scratch output = null;
        Result result = null;
        try {
            output = context.scratches().acquire();
            result = compress(page, output);
        } catch (RuntimeException | Error e) {
            logFailure(e);
        } finally {
            record(System.nanoTime() - begin);
            finish(page, result, isEvicting);
            if (output != null) {
                context.scratches().release(output);
            }
        }
    }

    private void record(long nanos) {
        recordNanos(nanos);
        context.counters().compressions.increment();
    }

    private void recordNanos(long nanos) {
        governor.recordSpent(nanos);
        context.counters().compressNanos.add(nanos);
    }

    /// A compressed page.
    ///
    /// @param checksum of the page
    /// @param isVerified see [Page#isVerified]
    private record Result(MemorySegment bytes, int length, int checksum, boolean isVerified) {}

    private Result compress(Page page, Scratch output) {
        if (page.kind == Page.Kind.FRAME) {
            return compress(context.residents().frameContent(page), output);
        }
        Scratch copy = context.scratches().acquire();
        try {
            return compress(copyOf(page, copy), output);
        } finally {
            context.scratches().release(copy);
        }
    }

    private Result compress(MemorySegment content, Scratch output) {
        int length = codec.compress(content.asByteBuffer(), output.memory().asByteBuffer());
        return new Result(output.memory(), length, Checksums.of(content), true);
    }

    private MemorySegment copyOf(Page page, Scratch copy) {
        MemorySegment content = copy.memory().asSlice(0, page.length);
        context.residents().copyTo(page, content);
        return content;
    }

    /// Compresses pages as [#compress], evicting them, by the engine if it takes them. Does not
    /// wait for it.
    ///
    /// @param done called for each page when its frame is free, or the page is in use again
    void compressInBackground(List<Page> pages, Runnable done) {
        Offload.Batch batch = offload.batch(PageJob.Operation.COMPRESS);
        var copies = new ArrayList<Scratch>();
        try {
            for (Page page : pages) {
                if (offload.reserve(PageJob.Operation.COMPRESS)) {
                    giveToEngine(page, batch, copies, done);
                } else {
                    compress(page, true);
                    done.run();
                }
            }
            long begin = System.nanoTime();
            batch.send();
            recordNanos(System.nanoTime() - begin);
        } finally {
            copies.forEach(context.scratches()::release);
        }
    }

    /// @param copies gets what is in use until the batch is sent
    private void giveToEngine(Page page, Offload.Batch batch, List<Scratch> copies, Runnable done) {
        long begin = System.nanoTime();
        boolean isGiven = false;
        try {
            MemorySegment content = contentOf(page, copies);
            int max = codec.compressedMax(page.length);
            var outcome = new Compressing(page, Checksums.of(content), done);
            isGiven = true;
            batch.add(content, max, outcome);
        } catch (RuntimeException | Error e) {
            logFailure(e);
        } finally {
            record(System.nanoTime() - begin);
            if (!isGiven) {
                offload.cancel(PageJob.Operation.COMPRESS);
                finish(page, null, true);
                done.run();
            }
        }
    }

    private MemorySegment contentOf(Page page, List<Scratch> copies) {
        if (page.kind == Page.Kind.FRAME) {
            return context.residents().frameContent(page);
        }
        Scratch copy = context.scratches().acquire();
        copies.add(copy);
        return copyOf(page, copy);
    }

    /// A page that the engine compresses. Its correctness is not known yet.
    private final class Compressing implements Offload.Outcome {
        private final Page page;
        private final int checksum;
        private final Runnable done;

        Compressing(Page page, int checksum, Runnable done) {
            this.page = page;
            this.checksum = checksum;
            this.done = done;
        }

        @Override
        public void completed(Scratch result, int length, long processorNanos) {
            long begin = System.nanoTime();
            finish(page, new Result(result.memory(), length, checksum, false), true);
            context.scratches().release(result);
            recordNanos(processorNanos + System.nanoTime() - begin);
            done.run();
        }

        @Override
        public void failed() {
            finish(page, null, true);
            done.run();
        }
    }

    /// A failing codec or engine costs pages, but no response.
    private void logFailure(Throwable e) {
        if (hasFailed.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "compression fails: pages are evicted instead (logged once)", e);
        }
    }

    /// @param result null if there is none
    private void finish(Page page, @Nullable Result result, boolean isEvicting) {
        context.lock().lock();
        try {
            apply(page, result, isEvicting);
        } catch (RuntimeException | Error e) {
            context.residents().drop(page);
            logFailure(e);
        } finally {
            context.residents().unpin(page);
            context.lock().unlock();
        }
    }

    private void apply(Page page, @Nullable Result result, boolean isEvicting) {
        if (page.isRemoved) {
            return;
        }
        boolean isLarge = result != null && result.length > page.length * RATIO_MAX;
        if (isLarge) {
            page.file.markIncompressible(page.index);
            context.counters().incompressible.increment();
        }
        boolean hasNone = result == null || isLarge;
        boolean isRequested = page.pins > 1 || page.hits > 0 || !isEvicting && hasNone;
        if (isRequested) {
            context.residents().reinsert(page);
        } else if (result == null || isLarge) {
            context.residents().drop(page);
        } else {
            context.counters().bytesBefore.add(page.length);
            context.counters().bytesAfter.add(result.length);
            page.checksum = result.checksum;
            page.isVerified = result.isVerified;
            context.residents().storeCompressed(page, result.bytes, result.length);
        }
    }

    /// Copies the content of a page to `to`, decompressed. The caller has pinned the page.
    ///
    /// @throws CorruptPageException if it does not decompress to what was compressed
    void copyContent(Page page, MemorySegment to) {
        if (page.kind != Page.Kind.COMPRESSED) {
            context.residents().copyTo(page, to);
            return;
        }
        MemorySegment whole = context.residents().view(page);
        if (whole != null) {
            decompress(page, whole, to);
            return;
        }
        Scratch scratch = context.scratches().acquire();
        try {
            context.residents().copyTo(page, scratch.memory());
            decompress(page, scratch.memory().asSlice(0, page.compressedLength), to);
        } finally {
            context.scratches().release(scratch);
        }
    }

    private void decompress(Page page, MemorySegment compressed, MemorySegment to) {
        long begin = System.nanoTime();
        MemorySegment content = to.asSlice(0, page.length);
        try {
            codec.decompress(compressed.asByteBuffer(), content.asByteBuffer());
        } catch (IllegalStateException e) {
            throw new CorruptPageException("a page is corrupt", e);
        }
        if (Checksums.of(content) != page.checksum) {
            throw new CorruptPageException("a page has another checksum than when it was read");
        }
        context.counters().decompressNanos.add(System.nanoTime() - begin);
        context.counters().decompressions.increment();
        verified(page);
    }

    private void verified(Page page) {
        if (page.isVerified) {
            return;
        }
        context.lock().lock();
        try {
            page.isVerified = true;
        } finally {
            context.lock().unlock();
        }
        offload.success();
    }

    /// Makes sure that a compressed page decompresses to what was compressed. The caller has pinned
    /// it.
    ///
    /// @throws CorruptPageException if not
    void verify(Page page) {
        if (page.isVerified) {
            return;
        }
        Scratch scratch = context.scratches().acquire();
        try {
            copyContent(page, scratch.memory());
        } finally {
            context.scratches().release(scratch);
        }
    }

    /// Drops a corrupt page, so that it is read again. The caller has pinned it.
    void dropCorrupt(Page page, CorruptPageException cause) {
        context.counters().corrupt.increment();
        offload.failure(cause);
        context.lock().lock();
        try {
            if (!page.isRemoved) {
                context.residents().drop(page);
            }
        } finally {
            context.lock().unlock();
        }
    }

    /// Gives a compressed page to the engine to decompress. The caller has pinned it, and has
    /// reserved a place; the pin is needed during the call only.
    ///
    /// @param to gets the content, if that has the right checksum
    void decompressElsewhere(Page page, Fetch to) {
        MemorySegment whole = context.residents().view(page);
        Scratch copy = null;
        boolean isGiven = false;
        try {
            if (whole == null) {
                copy = context.scratches().acquire();
                context.residents().copyTo(page, copy.memory());
                whole = copy.memory().asSlice(0, page.compressedLength);
            }
            isGiven = true;
            Offload.Batch batch = offload.batch(PageJob.Operation.DECOMPRESS);
            batch.add(whole, page.length, new Decompressing(page, to));
            batch.send();
        } finally {
            if (!isGiven) {
                offload.cancel(PageJob.Operation.DECOMPRESS);
            }
            if (copy != null) {
                context.scratches().release(copy);
            }
        }
    }

    /// A page that the engine decompresses.
    private final class Decompressing implements Offload.Outcome {
        private final Page page;
        private final Fetch to;
        private final int checksum;

        Decompressing(Page page, Fetch to) {
            this.page = page;
            this.to = to;
            this.checksum = page.checksum;
        }

        /// If the checksum is wrong, the thread that needs the page finds out whether the engine
        /// has
        /// decompressed it wrongly, or had compressed it wrongly.
        @Override
        public void completed(Scratch result, int length, long processorNanos) {
            boolean isRight = Checksums.of(result.memory().asSlice(0, length)) == checksum;
            if (isRight) {
                context.counters().decompressNanos.add(processorNanos);
                context.counters().decompressions.increment();
                offload.success();
                to.completed(result);
            } else {
                context.scratches().release(result);
                offload.failure(new IllegalStateException("the engine returned another page"));
                to.completed(null);
            }
        }

        @Override
        public void failed() {
            to.completed(null);
        }
    }
}
