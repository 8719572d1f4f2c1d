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

    private static final int AHEAD_SHARE = 64;
    private static final int AHEAD_MAX = 256;

    private final Hold hold;
    private final Packer packer;
    private final boolean isAsync;
    private final Condition wanted;
    private final List<Thread> threads = new ArrayList<>();
    private boolean isClosed;

    Evictor(Hold hold, Packer packer) {
        this.hold = hold;
        this.packer = packer;
        this.isAsync = hold.options().compression() == Compression.ASYNC;
        this.wanted = hold.lock().newCondition();
    }

    /// Starts the threads in the background, if there are to be some.
    void start() {
        int processors = Runtime.getRuntime().availableProcessors();
        int count = isAsync ? 1 + processors / PROCESSORS_A_THREAD : 0;
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::workAhead, "tandem-cache-" + i);
            thread.setDaemon(true);
            thread.setPriority(Thread.MIN_PRIORITY);
            threads.add(thread);
            thread.start();
        }
    }

    /// A frame, or -1 if none can be had.
    int frame() {
        packer.look();
        for (int i = 0; i < TRIES_MAX; i++) {
            Page victim;
            hold.lock().lock();
            try {
                int frame = hold.residents().frames().take();
                if (frame >= 0) {
                    callForMore();
                    return frame;
                }
                victim = hold.residents().victim();
                if (victim == null) {
                    return -1;
                }
                if (isAsync || !packer.wants(victim)) {
                    hold.residents().drop(victim);
                    continue;
                }
                pin(victim);
            } finally {
                hold.lock().unlock();
            }
            packer.pack(List.of(victim), true);
        }
        return -1;
    }

    void give(int frame) {
        hold.lock().lock();
        try {
            hold.residents().frames().give(frame);
        } finally {
            hold.lock().unlock();
        }
    }

    private static void pin(Page victim) {
        victim.pins++;
        victim.hits = 0;
    }

    /// How many frames are kept free for those who come: a 64th, at least 8 where there are
    /// some.
    private int ahead() {
        int limit = hold.residents().frames().limit();
        return Math.min(limit / 4, Math.clamp(limit / AHEAD_SHARE, 8, AHEAD_MAX));
    }

    private void callForMore() {
        if (isAsync && hold.residents().frames().available() < ahead()) {
            wanted.signal();
        }
    }

    private void workAhead() {
        boolean isOver = false;
        while (!isOver) {
            try {
                isOver = !workOnce();
            } catch (RuntimeException | Error e) {
                // Such as one of an exhausted heap, which may pass: without its threads the cache
                // would compress no more.
                LOG.log(Level.WARNING, "compression in the background failed, and goes on", e);
                rest();
            }
        }
    }

    /// @return false once it is closed
    private boolean workOnce() {
        packer.look();
        List<Page> batch;
        hold.lock().lock();
        try {
            while (!isClosed && hold.residents().frames().available() >= ahead()) {
                wanted.awaitUninterruptibly();
            }
            if (isClosed) {
                return false;
            }
            batch = nextBatch();
            if (batch.isEmpty() && hold.residents().frames().available() < ahead()) {
                wanted.awaitUninterruptibly(); // nothing can go: all is pinned or compressed
            }
        } finally {
            hold.lock().unlock();
        }
        if (!batch.isEmpty()) {
            packer.pack(batch, true);
        }
        return true;
    }

    /// Until somebody wants a frame again.
    private void rest() {
        hold.lock().lock();
        try {
            if (!isClosed) {
                wanted.awaitUninterruptibly();
            }
        } finally {
            hold.lock().unlock();
        }
    }

    /// Takes out what goes next; drops what is not to be compressed.
    private List<Page> nextBatch() {
        var batch = new ArrayList<Page>(packer.batchMax());
        Residents residents = hold.residents();
        for (int i = 0; i < TRIES_MAX && batch.size() < packer.batchMax(); i++) {
            if (residents.frames().available() >= ahead()) {
                break;
            }
            Page victim = residents.victim();
            if (victim == null) {
                break;
            }
            if (packer.wants(victim)) {
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
        hold.lock().lock();
        try {
            isClosed = true;
            wanted.signalAll();
        } finally {
            hold.lock().unlock();
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
