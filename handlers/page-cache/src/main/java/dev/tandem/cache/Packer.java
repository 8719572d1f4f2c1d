package dev.tandem.cache;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Compresses pages that were taken out of the order for it, and decompresses those that are
/// asked for. Shared by all threads.
final class Packer {
    /// Seven eighths: what saves less is not worth being decompressed at each hit.
    private static final double SHRUNK = 0.875;

    private static final System.Logger LOG = System.getLogger("dev.tandem.cache");

    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private final Hold hold;
    private final CompressionEngine engine;
    private final Governor governor;
    private final Promotion promotion;

    Packer(Hold hold, CompressionEngine engine, Governor governor) {
        this.hold = hold;
        this.engine = engine;
        this.governor = governor;
        this.promotion = new Promotion(hold.counters());
    }

    PageCodec codec() {
        return engine.codec();
    }

    /// Looks how busy the processors are, now and then. Not under the lock.
    void look() {
        governor.look();
    }

    int batchMax() {
        return Math.clamp(engine.batchMax(), 1, 64);
    }

    /// Whether to compress a page that goes, rather than to drop it. Under the lock.
    boolean wants(Page victim) {
        if (!hold.residents().isWorthPacking(victim)) {
            return false;
        }
        if (governor.mayCompress()) {
            return true;
        }
        hold.counters().skipped.increment();
        return false;
    }

    /// Whether a compressed page is to be kept as it is from now on: another one has to be
    /// compressed for it.
    boolean isWorthUnpacking(Page page) {
        if (hold.options().replacement() == Replacement.LRU) {
            return true; // as in the thesis
        }
        return page.hits >= promotion.hits() && governor.hasPlenty();
    }

    /// Compresses pages, which the caller has taken out of the order and pinned; its pins are
    /// gone afterwards, whatever fails. Those asked for meanwhile stay as they are.
    ///
    /// @param areGoing whether those that do not shrink are dropped; else they stay, too
    void pack(List<Page> pages, boolean areGoing) {
        var jobs = new ArrayList<PageJob>(pages.size());
        long begin = System.nanoTime();
        try {
            for (Page page : pages) {
                jobs.add(job(page));
            }
            engine.compress(List.copyOf(jobs));
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            long nanos = System.nanoTime() - begin;
            governor.spent(nanos);
            hold.counters().compressNanos.add(nanos);
            hold.counters().compressions.add(pages.size());
            finish(pages, jobs, areGoing);
        }
    }

    /// An engine that fails costs the pages that it had, and nobody's answer.
    private void failed(Throwable e) {
        if (hasFailed.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "compression fails: pages are dropped instead (told once)", e);
        }
    }

    private PageJob job(Page page) {
        Scratch packed = hold.scratches().take();
        if (page.kind == Page.Kind.FRAME) {
            return new PageJob(page, hold.residents().frame(page), packed, null);
        }
        Scratch copy = null;
        try {
            copy = hold.scratches().take();
        } finally {
            if (copy == null) {
                hold.scratches().give(packed);
            }
        }
        MemorySegment content = copy.memory().asSlice(0, page.length);
        hold.residents().get(page, content);
        return new PageJob(page, content, packed, copy);
    }

    private void finish(List<Page> pages, List<PageJob> jobs, boolean areGoing) {
        hold.lock().lock();
        try {
            for (int i = 0; i < pages.size(); i++) {
                Page page = pages.get(i);
                if (i < jobs.size()) {
                    settleOrDrop(page, jobs.get(i), areGoing);
                } else {
                    hold.residents().drop(page);
                }
                hold.residents().release(page);
            }
        } finally {
            hold.lock().unlock();
        }
        jobs.forEach(job -> job.giveBack(hold.scratches()));
    }

    private void settleOrDrop(Page page, PageJob job, boolean isGoing) {
        try {
            settle(page, job, isGoing);
        } catch (RuntimeException | Error e) {
            hold.residents().drop(page);
            failed(e);
        }
    }

    private void settle(Page page, PageJob job, boolean isGoing) {
        if (page.isDead) {
            return;
        }
        boolean isRigid = job.length() < 0 || job.length() > page.length * SHRUNK;
        if (isRigid && job.length() > 0) {
            page.file.markRigid(page.index);
            hold.counters().rigid.increment();
        }
        boolean isAskedFor = page.pins > 1 || page.hits > 0 || !isGoing && isRigid;
        if (isAskedFor) {
            hold.residents().putBack(page);
        } else if (isRigid) {
            hold.residents().drop(page);
        } else {
            hold.counters().bytesBefore.add(page.length);
            hold.counters().bytesAfter.add(job.length());
            hold.residents().pack(page, job.result(), job.length());
        }
    }

    /// Copies what is kept of a page to `to`, decompressed. The caller has pinned it.
    ///
    /// @throws IllegalStateException if what is kept is damaged
    void content(Page page, MemorySegment to) {
        if (page.kind != Page.Kind.PACKED) {
            hold.residents().get(page, to);
            return;
        }
        MemorySegment whole = hold.residents().view(page);
        if (whole != null) {
            decompress(whole, page.length, to);
            return;
        }
        Scratch scratch = hold.scratches().take();
        try {
            hold.residents().get(page, scratch.memory());
            decompress(scratch.memory().asSlice(0, page.packedLength), page.length, to);
        } finally {
            hold.scratches().give(scratch);
        }
    }

    private void decompress(MemorySegment packed, int length, MemorySegment to) {
        long begin = System.nanoTime();
        codec().decompress(packed.asByteBuffer(), to.asSlice(0, length).asByteBuffer());
        hold.counters().decompressNanos.add(System.nanoTime() - begin);
        hold.counters().decompressions.increment();
    }
}
