package dev.tandem.pagecache.gpu;

import dev.tandem.pagecache.PageJob;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// A stream of the device with its memory: processes one batch at a time. Used by one thread,
/// except [#busyNanos].
final class GpuLane implements AutoCloseable {
    /// Between two looks at a batch in progress, in nanoseconds: a batch takes hundreds of
    /// microseconds, and waiting in the driver could not be ended.
    private static final long LOOK_NANOS = 20_000;

    private static final long LOOK_MAX_NANOS = 1_000_000;

    private final Cuda cuda;
    private final Nvcomp nvcomp;
    private final long stream;
    private final LaneMemory memory;
    private final long hungNanos;

    /// When the batch in progress has begun; 0 if there is none.
    private volatile long begin;

    /// @param pageBytes maximum length of an uncompressed page
    /// @param compressedMax maximum length of a compressed page that the cache may send
    GpuLane(Cuda cuda, Nvcomp nvcomp, GpuOptions options, int pageBytes, int compressedMax) {
        this.cuda = cuda;
        this.nvcomp = nvcomp;
        this.hungNanos = TimeUnit.MILLISECONDS.toNanos(options.hungMillis());
        this.stream = cuda.createStream();
        boolean isComplete = false;
        try {
            int pages = options.batchMax();
            long temp = nvcomp.tempBytes(pages, pageBytes, stream);
            long max = Math.max(nvcomp.compressedMax(pageBytes), compressedMax);
            this.memory = new LaneMemory(cuda, pages, pageBytes, max, temp);
            isComplete = true;
        } finally {
            if (!isComplete) {
                cuda.destroyStream(stream);
            }
        }
    }

    /// Returns how long the batch in progress has taken, in nanoseconds; 0 if there is none. May be
    /// called by any thread.
    long busyNanos() {
        long since = begin;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /// Processes a batch, and completes its pages.
    ///
    /// @throws DeviceException if the device has failed; then the pages are not completed, and the
    ///     lane must not be used any more
    /// @throws TimeoutException if the device has not finished in time, as above
    void process(List<PageJob> batch) throws TimeoutException {
        List<PageJob> pages = new ArrayList<>(batch.size());
        for (PageJob job : batch) {
            if (job.isOver()) {
                continue; // the cache does not wait for it any more
            }
            if (fits(job)) {
                pages.add(job);
            } else {
                job.fail(new IllegalStateException("a page is larger than the cache's"));
            }
        }
        if (!pages.isEmpty()) {
            begin = System.nanoTime() | 1; // not 0
            long spent = start(pages);
            await();
            complete(pages, spent);
            begin = 0;
        }
    }

    private boolean fits(PageJob job) {
        int length = job.input().remaining();
        return job.operation() == PageJob.Operation.COMPRESS
                ? memory.fits(length, 0)
                : memory.fits(job.resultMax(), length);
    }

    /// @return processor time, in nanoseconds
    private long start(List<PageJob> pages) {
        long since = System.nanoTime();
        long end = 0;
        for (int i = 0; i < pages.size(); i++) {
            PageJob job = pages.get(i);
            end = memory.put(i, end, MemorySegment.ofBuffer(job.input()), job.resultMax());
        }
        memory.copyToDevice(end, stream);
        if (pages.getFirst().operation() == PageJob.Operation.COMPRESS) {
            nvcomp.compress(memory.batch(pages.size()), stream);
        } else {
            nvcomp.decompress(memory.batch(pages.size()), stream);
        }
        memory.copyToHost(pages.size(), stream);
        return System.nanoTime() - since;
    }

    private void await() throws TimeoutException {
        for (long look = LOOK_NANOS; !cuda.isDone(stream); look = Math.min(2 * look, maxLook())) {
            if (busyNanos() > hungNanos) {
                throw new TimeoutException(
                        "the device has not finished a batch in "
                                + TimeUnit.NANOSECONDS.toMillis(hungNanos)
                                + " ms");
            }
            LockSupport.parkNanos(look);
        }
    }

    /// An eighth of what the batch has taken so far.
    private long maxLook() {
        return Math.clamp(busyNanos() / 8, LOOK_NANOS, LOOK_MAX_NANOS);
    }

    private void complete(List<PageJob> pages, long spent) {
        for (int i = 0; i < pages.size(); i++) {
            PageJob job = pages.get(i);
            long length = memory.length(i);
            if (memory.status(i) != 0) {
                job.fail(
                        new IllegalStateException(
                                "the device reports status " + memory.status(i) + " for a page"));
            } else if (length < 1 || length > memory.area()) {
                job.fail(new IllegalStateException("the device returned " + length + " bytes"));
            } else {
                boolean _ = job.complete(result(job, i, length), spent / pages.size());
            }
        }
    }

    /// A page that has become larger than the cache has memory for is reported with the length that
    /// the cache can take, which tells it that the page is incompressible; it is not used then.
    private ByteBuffer result(PageJob job, int index, long length) {
        boolean isCompression = job.operation() == PageJob.Operation.COMPRESS;
        long reported = isCompression ? Math.min(length, job.resultMax()) : length;
        return memory.result(index, reported).asByteBuffer().asReadOnlyBuffer();
    }

    /// Frees memory. No batch may be in progress.
    @Override
    public void close() {
        memory.close();
        try {
            cuda.destroyStream(stream);
        } catch (DeviceException _) {
            // After an error of the device its streams go with the process.
        }
    }
}
