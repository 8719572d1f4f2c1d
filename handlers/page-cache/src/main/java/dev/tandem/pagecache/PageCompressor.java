package dev.tandem.pagecache;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Compresses pages that were removed from the eviction order, and decompresses requested pages.
/// Thread safe.
final class PageCompressor {
    /// Seven eighths: a smaller saving does not justify decompression at each hit.
    private static final double RATIO_MAX = 0.875;

    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private final CacheContext context;
    private final CompressionEngine engine;
    private final Governor governor;
    private final PromotionPolicy promotion;

    PageCompressor(CacheContext context, CompressionEngine engine, Governor governor) {
        this.context = context;
        this.engine = engine;
        this.governor = governor;
        this.promotion = new PromotionPolicy(context.counters());
    }

    PageCodec codec() {
        return engine.codec();
    }

    /// Updates the governor's view of processor load, if due. Must not be called under the lock.
    void updateGovernor() {
        governor.update();
    }

    int batchMax() {
        return Math.clamp(engine.batchMax(), 1, 64);
    }

    /// Returns whether to compress a page instead of evicting it. Called under the lock.
    boolean shouldCompress(Page victim) {
        if (!context.residents().isWorthCompressing(victim)) {
            return false;
        }
        if (governor.canCompress()) {
            return true;
        }
        context.counters().skipped.increment();
        return false;
    }

    /// Returns whether to keep a compressed page uncompressed from now on, for which another page
    /// has to be compressed.
    boolean shouldPromote(Page page) {
        if (context.options().replacement() == Replacement.LRU) {
            return true; // as in Beltran's thesis
        }
        return page.hits >= promotion.requiredHits() && governor.hasSurplus();
    }

    /// Compresses pages that the caller has removed from the order and pinned; the pins are
    /// released afterwards, even after a failure. Pages requested in the meantime stay
    /// uncompressed.
    ///
    /// @param isEvicting whether incompressible pages are evicted; otherwise they stay
    void compress(List<Page> pages, boolean isEvicting) {
        var jobs = new ArrayList<CompressionJob>(pages.size());
        long begin = System.nanoTime();
        try {
            for (Page page : pages) {
                jobs.add(job(page));
            }
            engine.compress(List.copyOf(jobs));
        } catch (RuntimeException | Error e) {
            logFailure(e);
        } finally {
            long nanos = System.nanoTime() - begin;
            governor.recordSpent(nanos);
            context.counters().compressNanos.add(nanos);
            context.counters().compressions.add(pages.size());
            finish(pages, jobs, isEvicting);
        }
    }

    /// A failing engine costs the pages of its batch, but no response.
    private void logFailure(Throwable e) {
        if (hasFailed.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "compression fails: pages are evicted instead (logged once)", e);
        }
    }

    private CompressionJob job(Page page) {
        Scratch compressed = context.scratches().acquire();
        if (page.kind == Page.Kind.FRAME) {
            return new CompressionJob(
                    page, context.residents().frameContent(page), compressed, null);
        }
        Scratch copy = null;
        try {
            copy = context.scratches().acquire();
        } finally {
            if (copy == null) {
                context.scratches().release(compressed);
            }
        }
        MemorySegment content = copy.memory().asSlice(0, page.length);
        context.residents().copyTo(page, content);
        return new CompressionJob(page, content, compressed, copy);
    }

    private void finish(List<Page> pages, List<CompressionJob> jobs, boolean isEvicting) {
        context.lock().lock();
        try {
            for (int i = 0; i < pages.size(); i++) {
                Page page = pages.get(i);
                if (i < jobs.size()) {
                    applyOrDrop(page, jobs.get(i), isEvicting);
                } else {
                    context.residents().drop(page);
                }
                context.residents().unpin(page);
            }
        } finally {
            context.lock().unlock();
        }
        jobs.forEach(job -> job.release(context.scratches()));
    }

    private void applyOrDrop(Page page, CompressionJob job, boolean isEvicting) {
        try {
            applyResult(page, job, isEvicting);
        } catch (RuntimeException | Error e) {
            context.residents().drop(page);
            logFailure(e);
        }
    }

    private void applyResult(Page page, CompressionJob job, boolean isEvicting) {
        if (page.isRemoved) {
            return;
        }
        boolean isIncompressible = job.length() < 0 || job.length() > page.length * RATIO_MAX;
        if (isIncompressible && job.length() > 0) {
            page.file.markIncompressible(page.index);
            context.counters().incompressible.increment();
        }
        boolean isRequested = page.pins > 1 || page.hits > 0 || !isEvicting && isIncompressible;
        if (isRequested) {
            context.residents().reinsert(page);
        } else if (isIncompressible) {
            context.residents().drop(page);
        } else {
            context.counters().bytesBefore.add(page.length);
            context.counters().bytesAfter.add(job.length());
            context.residents().storeCompressed(page, job.result(), job.length());
        }
    }

    /// Copies the content of a page to `to`, decompressed. The caller has pinned the page.
    ///
    /// @throws IllegalStateException if the stored data is corrupt
    void copyContent(Page page, MemorySegment to) {
        if (page.kind != Page.Kind.COMPRESSED) {
            context.residents().copyTo(page, to);
            return;
        }
        MemorySegment whole = context.residents().view(page);
        if (whole != null) {
            decompress(whole, page.length, to);
            return;
        }
        Scratch scratch = context.scratches().acquire();
        try {
            context.residents().copyTo(page, scratch.memory());
            decompress(scratch.memory().asSlice(0, page.compressedLength), page.length, to);
        } finally {
            context.scratches().release(scratch);
        }
    }

    private void decompress(MemorySegment compressed, int length, MemorySegment to) {
        long begin = System.nanoTime();
        codec().decompress(compressed.asByteBuffer(), to.asSlice(0, length).asByteBuffer());
        context.counters().decompressNanos.add(System.nanoTime() - begin);
        context.counters().decompressions.increment();
    }
}
