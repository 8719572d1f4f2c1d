package dev.tandem.cache;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;

/// Finds frames for pages: free ones, or those of pages that go. What goes is compressed by
/// whoever asks, or ahead of need by threads of its own, or not at all. Shared by all threads.
final class Evictor implements AutoCloseable {
    /// So many pages go at most for one frame: small ones free none. Then there is none.
    private static final int TRIES_MAX = 256;

    /// A thread in the background for every four processors, and one: compression has a quarter of
    /// their time.
    private static final int PROCESSORS_A_THREAD = 4;

    private static final System.Logger LOG = System.getLogger("dev.tandem.cache");

    private static final int FREE_SHARE = 64;
    private static final int FREE_MAX = 256;

    private final CacheContext context;
    private final PageCompressor compressor;
    private final boolean isAsync;
    private final Condition wanted;
    private final List<Thread> threads = new ArrayList<>();
    private boolean isClosed;

    Evictor(CacheContext context, PageCompressor compressor) {
        this.context = context;
        this.compressor = compressor;
        this.isAsync = context.options().compression() == CompressionMode.ASYNC;
        this.wanted = context.lock().newCondition();
    }

    /// Starts the threads in the background, if there are to be some.
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

    /// A frame, or -1 if none can be had.
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

    /// How many frames are kept free for those who come: a 64th, at least 8 where there are
    /// some.
    private int freeTarget() {
        int limit = context.residents().frames().limit();
        return Math.min(limit / 4, Math.clamp(limit / FREE_SHARE, 8, FREE_MAX));
    }

    private void signalIfLow() {
        if (isAsync && context.residents().frames().available() < freeTarget()) {
            wanted.signal();
        }
    }

    private void runBackground() {
        boolean isClosing = false;
        while (!isClosing) {
            try {
                isClosing = !evictBatch();
            } catch (RuntimeException | Error e) {
                // Such as one of an exhausted heap, which may pass: without its threads the cache
                // would compress no more.
                LOG.log(Level.WARNING, "compression in the background failed, and goes on", e);
                awaitDemand();
            }
        }
    }

    /// @return false once it is closed
    private boolean evictBatch() {
        compressor.updateGovernor();
        List<Page> batch;
        context.lock().lock();
        try {
            while (!isClosed && context.residents().frames().available() >= freeTarget()) {
                wanted.awaitUninterruptibly();
            }
            if (isClosed) {
                return false;
            }
            batch = nextBatch();
            if (batch.isEmpty() && context.residents().frames().available() < freeTarget()) {
                wanted.awaitUninterruptibly(); // nothing can go: all is pinned or compressed
            }
        } finally {
            context.lock().unlock();
        }
        if (!batch.isEmpty()) {
            compressor.compress(batch, true);
        }
        return true;
    }

    /// Until somebody wants a frame again.
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

    /// Takes out what goes next; drops what is not to be compressed.
    private List<Page> nextBatch() {
        var batch = new ArrayList<Page>(compressor.batchMax());
        ResidentPages residents = context.residents();
        for (int i = 0; i < TRIES_MAX && batch.size() < compressor.batchMax(); i++) {
            if (residents.frames().available() >= freeTarget()) {
                break;
            }
            Page victim = residents.victim();
            if (victim == null) {
                break;
            }
            if (compressor.shouldCompress(victim)) {
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
