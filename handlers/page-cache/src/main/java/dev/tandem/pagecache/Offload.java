package dev.tandem.pagecache;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Gives pages to an engine: bounds their number and the time that they take, and forms batches of
/// those that wait while the previous one is being taken. An engine's code runs on a thread of
/// this class only, so that one that blocks holds no other; a [PromptEngine]'s on the thread that
/// has the pages. Thread safe.
final class Offload implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    /// After a failure the engine gets no pages for a second, then two, up to 64.
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int REST_DOUBLINGS_MAX = 6;

    /// So many pages in succession show that the engine works again.
    private static final int RECOVERED = 256;

    /// Looks for late pages within the time-out.
    private static final int CHECKS = 4;

    /// How long [#close()] waits for a thread that the engine blocks, in milliseconds.
    private static final int CLOSE_MILLIS = 2_000;

    /// 1 ms after a step that failed, so that a failure that lasts occupies no processor.
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final CompressionEngine engine;
    private final boolean isPrompt;
    private final EngineTraits traits;
    private final ScratchPool scratches;
    private final Counters counters;
    private final int inputBytes;
    private final List<Thread> threads = new ArrayList<>();

    /// Whether the engine was available when that was last checked.
    private volatile boolean isAvailable;

    private final AtomicBoolean isLogged = new AtomicBoolean();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition queued = lock.newCondition();
    private final Condition closed = lock.newCondition();

    /// Guarded by the lock, as are the following fields: pages that the engine has not got yet.
    private final ArrayDeque<PageJob> toCompress = new ArrayDeque<>();

    private final ArrayDeque<PageJob> toDecompress = new ArrayDeque<>();

    /// All pages that are not over, the longest waiting first, with the time of their end.
    private final Map<PageJob, Long> deadlines = new LinkedHashMap<>();

    private final ArrayDeque<ByteBuffer> keptInputs = new ArrayDeque<>();
    private int reserved;
    private int reservedToCompress;
    private long restUntilNanos;
    private int failures;
    private int successes;
    private boolean isClosed;

    Offload(CompressionEngine engine, CacheContext context, int inputBytes) {
        this.engine = engine;
        this.isPrompt = engine instanceof PromptEngine;
        this.traits = engine.traits();
        this.scratches = context.scratches();
        this.counters = context.counters();
        this.inputBytes = inputBytes;
        this.restUntilNanos = System.nanoTime();
    }

    /// The outcome of a page; called once.
    interface Outcome {
        /// @param result owned by the receiver from now on
        void completed(Scratch result, int length, long processorNanos);

        void failed();
    }

    void start() {
        if (traits.inFlightMax() == 0) {
            return;
        }
        if (!isPrompt) {
            start("tandem-cache-engine", this::send);
        }
        start("tandem-cache-watch", this::watch);
    }

    private void start(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    EngineTraits traits() {
        return traits;
    }

    /// Checks whether the engine is available. Must not be called with a lock held: it is not known
    /// how long that takes.
    void checkAvailable() {
        boolean isThere = false;
        try {
            isThere = traits.inFlightMax() > 0 && engine.isAvailable();
        } catch (RuntimeException | Error e) {
            failure(e);
        }
        isAvailable = isThere;
    }

    /// Returns whether the engine probably takes another page now. Does not call it.
    boolean mayTake(PageJob.Operation operation) {
        if (!isAvailable) {
            return false;
        }
        lock.lock();
        try {
            return hasPlace(operation);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasPlace(PageJob.Operation operation) {
        boolean isCompression = operation == PageJob.Operation.COMPRESS;
        return !isClosed
                && (isCompression || traits.decompresses())
                && reserved < traits.inFlightMax()
                && (!isCompression || reservedToCompress < compressMax())
                && System.nanoTime() - restUntilNanos >= 0;
    }

    /// Half: compression in the background leaves room for requests, which wait.
    private int compressMax() {
        return Math.max(1, traits.inFlightMax() / 2);
    }

    /// Reserves a place for a page, for [Batch#add] or [#cancel].
    boolean reserve(PageJob.Operation operation) {
        checkAvailable();
        if (!isAvailable) {
            return false;
        }
        lock.lock();
        try {
            if (!hasPlace(operation)) {
                return false;
            }
            count(operation, 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void count(PageJob.Operation operation, int sign) {
        reserved += sign;
        if (operation == PageJob.Operation.COMPRESS) {
            reservedToCompress += sign;
        }
    }

    /// Returns a reserved place.
    void cancel(PageJob.Operation operation) {
        lock.lock();
        try {
            count(operation, -1);
        } finally {
            lock.unlock();
        }
    }

    /// Returns an empty batch.
    Batch batch(PageJob.Operation operation) {
        return new Batch(operation);
    }

    /// Pages that the engine gets together. Used by one thread.
    final class Batch {
        private final PageJob.Operation operation;
        private final List<PageJob> jobs = new ArrayList<>();

        Batch(PageJob.Operation operation) {
            this.operation = operation;
        }

        /// Adds a page, for which a place is reserved. The outcome may be reported before this
        /// method returns.
        ///
        /// @param page not changed before [#send] has returned
        /// @param resultMax as in [PageJob#resultMax()]
        void add(MemorySegment page, int resultMax, Outcome outcome) {
            ByteBuffer copy = isPrompt ? null : copyOf(page);
            ByteBuffer input = copy == null ? page.asByteBuffer() : copy.duplicate();
            var receiver = new Receiver(operation, copy, outcome);
            var job =
                    new PageJob(operation, input.limit((int) page.byteSize()), resultMax, receiver);
            receiver.job = job;
            counters.engineJobs.increment();
            if (isOpened(job)) {
                jobs.add(job);
            } else {
                job.fail(new IllegalStateException("the page cache is closed"));
            }
        }

        /// Lets the engine have the pages.
        void send() {
            if (jobs.isEmpty()) {
                return;
            }
            if (isPrompt) {
                submit(jobs);
            } else {
                queue(jobs);
            }
        }

        private void queue(List<PageJob> jobs) {
            lock.lock();
            try {
                if (!isClosed) { // otherwise they have failed
                    boolean isCompression = operation == PageJob.Operation.COMPRESS;
                    (isCompression ? toCompress : toDecompress).addAll(jobs);
                    queued.signal();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// Begins to wait for a page.
    ///
    /// @return false once closed
    private boolean isOpened(PageJob job) {
        long timeout = TimeUnit.MILLISECONDS.toNanos(traits.timeoutMillis());
        lock.lock();
        try {
            if (!isClosed) {
                deadlines.put(job, System.nanoTime() + timeout);
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private void submit(List<PageJob> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            engine.submit(List.copyOf(batch));
        } catch (RuntimeException | Error e) {
            batch.forEach(job -> job.fail(e));
        }
    }

    private ByteBuffer copyOf(MemorySegment page) {
        ByteBuffer copy = input().clear();
        int length = (int) page.byteSize();
        MemorySegment.copy(page, 0, MemorySegment.ofBuffer(copy), 0, length);
        return copy;
    }

    private ByteBuffer input() {
        lock.lock();
        try {
            ByteBuffer pooled = keptInputs.poll();
            if (pooled != null) {
                return pooled;
            }
        } finally {
            lock.unlock();
        }
        return ByteBuffer.allocateDirect(inputBytes);
    }

    /// Ends a page's stay at the engine.
    private final class Receiver implements PageJob.Receiver {
        private final PageJob.Operation operation;
        private final @Nullable ByteBuffer copy;
        private final Outcome outcome;
        private @Nullable PageJob job;

        /// @param copy of the page, for the next one; null if there is none
        Receiver(PageJob.Operation operation, @Nullable ByteBuffer copy, Outcome outcome) {
            this.operation = operation;
            this.copy = copy;
            this.outcome = outcome;
        }

        @Override
        public void completed(ByteBuffer result, long processorNanos) {
            Scratch own = null;
            int length = result.remaining();
            try {
                Scratch to = scratches.acquire();
                own = to;
                MemorySegment.copy(MemorySegment.ofBuffer(result), 0, to.memory(), 0, length);
            } catch (RuntimeException | Error e) {
                if (own != null) {
                    scratches.release(own);
                }
                failed(e);
                return;
            }
            end(true);
            outcome.completed(own, length, processorNanos);
        }

        @Override
        public void failed(Throwable cause) {
            end(false);
            failure(cause);
            outcome.failed();
        }

        /// A copy that the engine may still use is left to the garbage collector.
        private void end(boolean isCopyFree) {
            lock.lock();
            try {
                deadlines.remove(job);
                count(operation, -1);
                boolean isKept = isCopyFree && !isClosed;
                if (copy != null && isKept && keptInputs.size() < traits.inFlightMax()) {
                    keptInputs.push(copy);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// The engine has returned a correct page.
    void success() {
        lock.lock();
        try {
            successes++;
            if (successes >= RECOVERED) {
                failures = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    /// The engine has failed: it gets no pages for a while.
    void failure(Throwable cause) {
        counters.engineFailures.increment();
        lock.lock();
        try {
            long now = System.nanoTime();
            if (isClosed || now - restUntilNanos < 0) {
                return; // others of the same failure
            }
            restUntilNanos = now + (REST_NANOS << Math.min(failures, REST_DOUBLINGS_MAX));
            failures++;
            successes = 0;
        } finally {
            lock.unlock();
        }
        if (isLogged.compareAndSet(false, true)) {
            logFailure(cause);
        }
    }

    /// Requests may wait for what follows, so that this must not fail.
    private void logFailure(Throwable cause) {
        try {
            LOG.log(
                    Level.WARNING,
                    "the compression engine fails, and is left alone for a while (logged once)",
                    cause);
        } catch (RuntimeException | Error _) {
            isLogged.set(false); // there is no memory for the message: the next one
        }
    }

    private void send() {
        repeat(
                () -> {
                    List<PageJob> batch = nextBatch();
                    submit(batch);
                    return !batch.isEmpty();
                });
    }

    /// Repeats a step until it returns false. A defect, or a lack of memory, must not end it: pages
    /// would wait for ever, and requests for them.
    private void repeat(BooleanSupplier step) {
        boolean isMore = true;
        while (isMore) {
            try {
                isMore = step.getAsBoolean();
            } catch (RuntimeException | Error e) {
                failure(e);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /// Waits for pages; returns none once closed. Those to decompress come first, since requests
    /// wait for them.
    private List<PageJob> nextBatch() {
        var batch = new ArrayList<PageJob>(traits.batchMax());
        lock.lock();
        try {
            while (batch.isEmpty() && !isClosed) {
                ArrayDeque<PageJob> from = toDecompress.isEmpty() ? toCompress : toDecompress;
                for (PageJob next = from.poll(); next != null; next = from.poll()) {
                    if (!next.isOver()) {
                        batch.add(next);
                    }
                    if (batch.size() == traits.batchMax()) {
                        break;
                    }
                }
                if (batch.isEmpty() && toCompress.isEmpty() && toDecompress.isEmpty()) {
                    queued.awaitUninterruptibly();
                }
            }
        } finally {
            lock.unlock();
        }
        return List.copyOf(batch);
    }

    private void watch() {
        repeat(
                () -> {
                    TimeoutException why = timeout(); // first, as it may fail for lack of memory
                    PageJob late = nextLate();
                    if (late != null) {
                        late.fail(why);
                    }
                    return late != null;
                });
    }

    private TimeoutException timeout() {
        return new TimeoutException("a page took over " + traits.timeoutMillis() + " ms");
    }

    /// Waits until a page has taken too long; returns null once closed. Looks four times within the
    /// time-out, so that no page has to wake this thread.
    private @Nullable PageJob nextLate() {
        long interval = TimeUnit.MILLISECONDS.toNanos(traits.timeoutMillis()) / CHECKS;
        lock.lock();
        try {
            while (!isClosed) {
                var all = deadlines.entrySet().iterator();
                if (all.hasNext()) {
                    Map.Entry<PageJob, Long> first = all.next();
                    if (first.getValue() - System.nanoTime() <= 0) {
                        PageJob late = first.getKey();
                        all.remove(); // it may be completing at this moment
                        return late;
                    }
                }
                awaitNanos(interval);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void awaitNanos(long nanos) {
        try {
            long _ = closed.awaitNanos(nanos);
        } catch (InterruptedException _) {
            // The caller looks again.
        }
    }

    /// Fails the pages in progress. The engine is not closed.
    @Override
    public void close() {
        List<PageJob> left;
        lock.lock();
        try {
            isClosed = true;
            left = List.copyOf(deadlines.keySet());
            toCompress.clear();
            toDecompress.clear();
            keptInputs.clear();
            queued.signalAll();
            closed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(job -> job.fail(new IllegalStateException("the page cache is closed")));
        threads.forEach(Thread::interrupt); // an engine may block one of them
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
