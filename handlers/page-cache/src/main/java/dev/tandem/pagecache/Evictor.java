package dev.tandem.pagecache;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;

/// Allocates frames for pages: free ones, or those of evicted pages. Evicted pages are compressed
/// by the calling thread, or in advance by background threads, or not at all. Thread safe.
final class Evictor implements AutoCloseable {
    /// Maximum number of pages evicted for one frame, since evicting small ones frees none.
    private static final int TRIES_MAX = 256;

    /// One background thread for every four processors, plus one: compression may use a quarter of
    /// their time.
    private static final int PROCESSORS_A_THREAD = 4;

    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    private static final int FREE_SHARE = 64;
    private static final int FREE_MAX = 256;
    private static final int BATCH_SHARE = 32;

    private final CacheContext context;
    private final PageCompressor compressor;
    private final boolean isAsync;
    private final Condition wanted;
    private final List<Thread> threads = new ArrayList<>();
    private boolean isClosed;

    /// Pages that are being compressed in the background: their frames will be free. Guarded by the
    /// cache's lock.
    private int leaving;

    Evictor(CacheContext context, PageCompressor compressor) {
        this.context = context;
        this.compressor = compressor;
        this.isAsync = context.options().compression() == CompressionMode.ASYNC;
        this.wanted = context.lock().newCondition();
    }

    /// Starts the background threads, if any.
    void start() {
        int processors = Runtime.getRuntime().availableProcessors();
        int count = isAsync ? 1 + processors / PROCESSORS_A_THREAD : 0;
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::runBackground, "tandem-cache-" + i);
            thread.setDaemon(true);
            thread.setPriority(Thread.MIN_PRIORITY);
            threads.add(thread);
            thread.start();
        }
    }

    /// Allocates a frame; returns -1 if none is available.
    int allocateFrame() {
        compressor.updateGovernor();
        for (int i = 0; i < TRIES_MAX; i++) {
            Page victim;
            context.lock().lock();
            try {
                int frame = context.residents().frames().allocate();
                if (frame >= 0) {
                    signalIfLow();
                    return frame;
                }
                victim = context.residents().victim();
                if (victim == null) {
                    return -1;
                }
                if (isAsync || !compressor.shouldCompress(victim)) {
                    context.residents().drop(victim);
                    continue;
                }
                pin(victim);
            } finally {
                context.lock().unlock();
            }
            compressor.compress(List.of(victim), true);
        }
        return -1;
    }

    void freeFrame(int frame) {
        context.lock().lock();
        try {
            context.residents().frames().free(frame);
        } finally {
            context.lock().unlock();
        }
    }

    private static void pin(Page victim) {
        victim.pins++;
        victim.hits = 0;
    }

    /// Returns how many frames to have free after a batch: a 64th, at least 8 if the cache is large
    /// enough, and a batch more.
    private int freeTarget() {
        int limit = context.residents().frames().limit();
        int least = Math.clamp(limit / FREE_SHARE, 8, FREE_MAX);
        return Math.min(limit / 4, least + batchMax() - 1);
    }

    /// Returns how many pages are evicted at once: a 32nd, since free frames hold nothing.
    private int batchMax() {
        int limit = context.residents().frames().limit();
        return Math.clamp(limit / BATCH_SHARE, 1, compressor.batchMax());
    }

    /// Returns the number of free frames below which the next batch is due: a batch less, so that
    /// engines get batches.
    private int freeMin() {
        int target = freeTarget();
        return Math.max(target / 2, target - batchMax());
    }

    private void signalIfLow() {
        if (isAsync && isLow()) {
            wanted.signal();
        }
    }

    private boolean isLow() {
        return context.residents().frames().available() + leaving < freeMin();
    }

    private void runBackground() {
        boolean isClosing = false;
        while (!isClosing) {
            try {
                isClosing = !evictBatch();
            } catch (RuntimeException | Error e) {
                // For example an exhausted heap, which may be temporary: without its threads the
                // cache would not compress any more.
                LOG.log(Level.WARNING, "compression in the background failed, and continues", e);
                awaitDemand();
            }
        }
    }

    /// @return false once closed
    private boolean evictBatch() {
        compressor.updateGovernor();
        List<Page> batch;
        context.lock().lock();
        try {
            while (!isClosed && !isLow()) {
                wanted.awaitUninterruptibly();
            }
            if (isClosed) {
                return false;
            }
            batch = nextBatch();
            leaving += batch.size();
            if (batch.isEmpty() && isLow()) {
                wanted.awaitUninterruptibly(); // no page can be evicted: all are pinned or
                // compressed
            }
        } finally {
            context.lock().unlock();
        }
        compressor.compressInBackground(batch, this::left);
        return true;
    }

    /// A page has been compressed, or has failed to be.
    private void left() {
        context.lock().lock();
        try {
            leaving--;
            signalIfLow();
        } finally {
            context.lock().unlock();
        }
    }

    /// Waits until a frame is requested.
    private void awaitDemand() {
        context.lock().lock();
        try {
            if (!isClosed) {
                wanted.awaitUninterruptibly();
            }
        } finally {
            context.lock().unlock();
        }
    }

    /// Removes the pages to compress next; drops those that are not worth it.
    private List<Page> nextBatch() {
        int most = batchMax();
        var batch = new ArrayList<Page>(most);
        ResidentPages residents = context.residents();
        for (int i = 0; i < TRIES_MAX && batch.size() < most; i++) {
            if (residents.frames().available() + leaving + batch.size() >= freeTarget()) {
                break;
            }
            Page victim = residents.victim();
            if (victim == null) {
                break;
            }
            if (compressor.shouldCompressInBackground(victim)) {
                pin(victim);
                batch.add(victim);
            } else {
                residents.drop(victim);
            }
        }
        return batch;
    }

    @Override
    public void close() {
        context.lock().lock();
        try {
            isClosed = true;
            wanted.signalAll();
        } finally {
            context.lock().unlock();
        }
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
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
