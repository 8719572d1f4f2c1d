package dev.tandem.pagecache.gpu;

import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.EngineTraits;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.pagecache.PageJob;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/// Compresses and decompresses pages on a device. After an error of the device, or a batch that
/// does not end, the engine is dead: an error of CUDA lasts as long as its process, so the cache
/// uses the codec itself from then on. Thread safe.
final class GpuEngine implements CompressionEngine {
    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    /// Batches that wait while all lanes are busy, for each lane.
    private static final int WAITING = 1;

    private static final int POLL_MILLIS = 200;

    private final PageCodec codec;
    private final GpuOptions options;
    private final EngineTraits traits;
    private final Cuda cuda;
    private final List<GpuLane> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ArrayBlockingQueue<List<PageJob>> queue;

    /// Why the device must not be used any more; null while it works.
    private final AtomicReference<Throwable> death = new AtomicReference<>();

    private volatile boolean isClosed;

    /// @param pageBytes of the cache that uses this
    /// @throws DeviceException if the device does not work, or has not enough memory
    GpuEngine(Cuda cuda, Nvcomp nvcomp, PageCodec codec, int pageBytes, GpuOptions options) {
        this.cuda = cuda;
        this.codec = codec;
        this.options = options;
        int inFlight = options.batchMax() * options.lanes() * (1 + WAITING);
        this.traits =
                new EngineTraits(
                        options.batchMax(), inFlight, options.timeoutMillis(), false, true);
        this.queue = new ArrayBlockingQueue<>(inFlight); // batches may have one page each
        boolean isComplete = false;
        try {
            cuda.setDevice(options.device());
            for (int i = 0; i < options.lanes(); i++) {
                lanes.add(
                        new GpuLane(
                                cuda, nvcomp, options, pageBytes, codec.compressedMax(pageBytes)));
            }
            isComplete = true;
        } finally {
            if (!isComplete) {
                lanes.forEach(GpuLane::close);
            }
        }
        for (GpuLane lane : lanes) {
            var thread = new Thread(() -> run(lane), "tandem-gpu-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    @Override
    public PageCodec codec() {
        return codec;
    }

    @Override
    public EngineTraits traits() {
        return traits;
    }

    /// A driver that does not return is detected here: its thread cannot do it.
    @Override
    public boolean isAvailable() {
        long hung = 2 * TimeUnit.MILLISECONDS.toNanos(options.hungMillis());
        for (GpuLane lane : lanes) {
            if (lane.busyNanos() > hung) {
                die(new TimeoutException("a call to the device's driver does not return"));
            }
        }
        return !isClosed && death.get() == null;
    }

    @Override
    public void submit(List<PageJob> batch) {
        if (!isAvailable() || !queue.offer(batch)) {
            throw new IllegalStateException("the device takes no pages now", death.get());
        }
        if (!isAvailable()) {
            failQueued();
        }
    }

    private void run(GpuLane lane) {
        try {
            cuda.setDevice(options.device());
            while (isAvailable()) {
                List<PageJob> batch = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (batch != null) {
                    process(lane, batch);
                }
            }
        } catch (DeviceException e) {
            die(e);
        } catch (InterruptedException _) {
            // Nothing interrupts it but the end of the process.
        } finally {
            if (death.get() == null) {
                lane.close();
            }
            failQueued();
        }
    }

    /// Whatever is thrown, no page stays without an outcome.
    private void process(GpuLane lane, List<PageJob> batch) {
        try {
            lane.process(batch);
        } catch (TimeoutException | RuntimeException | Error e) {
            die(e);
            batch.forEach(job -> job.fail(e));
        }
    }

    private void die(Throwable cause) {
        if (death.compareAndSet(null, cause)) {
            LOG.log(
                    Level.WARNING,
                    "the GPU has failed, and is not used any more until the next start: "
                            + cause.getMessage());
        }
        failQueued();
    }

    private void failQueued() {
        for (List<PageJob> batch = queue.poll(); batch != null; batch = queue.poll()) {
            var cause = new IllegalStateException("the GPU engine has ended", death.get());
            batch.forEach(job -> job.fail(cause));
        }
    }

    /// Waits for batches in progress. Memory that a device uses which has failed is not freed: it
    /// goes with the process.
    @Override
    public void close() {
        isClosed = true;
        threads.forEach(_ -> queue.offer(List.of())); // wakes them up
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(2L * options.hungMillis());
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        failQueued();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
