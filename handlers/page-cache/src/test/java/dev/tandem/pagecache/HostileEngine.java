package dev.tandem.pagecache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine that does what no engine should.
final class HostileEngine implements CompressionEngine {
    /// What it does with every third page, or call; the others it processes as it should.
    enum Fault {
        THROWS,
        DIES,
        HANGS,
        BLOCKS,
        OTHER_BYTES,
        OTHER_PAGE,
        NO_BYTES,
        TOO_FEW_BYTES,
        TOO_MANY_BYTES,
        TWICE,
        LATE,
        WRITES_ON,
        NOT_AVAILABLE;

        /// Returns whether the cache has what it needs before the fault happens.
        boolean isHarmless() {
            return this == TWICE || this == WRITES_ON;
        }
    }

    private final Fault fault;
    private final PageCodec codec;
    private final AtomicInteger pages = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch forever = new CountDownLatch(1);

    /// Pages that are completed when the cache has given up, or is closed.
    final List<PageJob> late = new ArrayList<>();

    final AtomicInteger faults = new AtomicInteger();

    HostileEngine(Fault fault, PageCodec codec) {
        this.fault = fault;
        this.codec = codec;
    }

    @Override
    public PageCodec codec() {
        return codec;
    }

    @Override
    public EngineTraits traits() {
        return new EngineTraits(4, 64, 40, false, true);
    }

    @Override
    public boolean isAvailable() {
        if (fault == Fault.NOT_AVAILABLE && calls.incrementAndGet() % 3 == 0) {
            faults.incrementAndGet();
            throw new IllegalStateException("the coprocessor cannot be found");
        }
        return true;
    }

    @Override
    public void submit(List<PageJob> batch) {
        for (PageJob job : batch) {
            if (fault == Fault.NOT_AVAILABLE || pages.incrementAndGet() % 3 != 0) {
                boolean _ = job.complete(result(job), 0);
            } else {
                faults.incrementAndGet();
                process(job);
            }
        }
    }

    private ByteBuffer result(PageJob job) {
        ByteBuffer output = ByteBuffer.allocateDirect(job.resultMax());
        if (job.operation() == PageJob.Operation.DECOMPRESS) {
            codec.decompress(job.input(), output);
            return output;
        }
        return output.limit(codec.compress(job.input(), output));
    }

    private void process(PageJob job) {
        switch (fault) {
            case THROWS -> throw new IllegalStateException("the coprocessor is gone");
            case DIES -> job.fail(new IllegalStateException("the process has ended"));
            case HANGS, NOT_AVAILABLE -> {}
            case BLOCKS -> block();
            case OTHER_BYTES -> {
                ByteBuffer other = result(job);
                int at = other.limit() / 2;
                job.complete(other.put(at, (byte) ~other.get(at)), 0);
            }
            case OTHER_PAGE -> job.complete(otherPage(job), 0);
            case NO_BYTES -> job.complete(ByteBuffer.allocate(0), 0);
            case TOO_FEW_BYTES -> job.complete(result(job).limit(1), -1);
            case TOO_MANY_BYTES -> job.complete(ByteBuffer.allocate(job.resultMax() + 1), 0);
            case TWICE -> {
                ByteBuffer right = result(job);
                boolean isTaken = job.complete(right, 0);
                boolean isTakenAgain = job.complete(otherPage(job), 0);
                job.fail(new IllegalStateException("and it fails, too"));
                if (!isTaken || isTakenAgain) {
                    throw new AssertionError(isTaken + ", " + isTakenAgain);
                }
            }
            case LATE -> late.add(job);
            case WRITES_ON -> {
                ByteBuffer right = result(job);
                job.complete(right, 0);
                right.clear().put(new byte[right.capacity()]);
            }
        }
    }

    private ByteBuffer otherPage(PageJob job) {
        if (job.operation() == PageJob.Operation.DECOMPRESS) {
            return ByteBuffer.allocate(job.resultMax());
        }
        int length = job.input().remaining();
        ByteBuffer output = ByteBuffer.allocateDirect(codec.compressedMax(length));
        return output.limit(codec.compress(ByteBuffer.allocateDirect(length), output));
    }

    private void block() {
        try {
            forever.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        forever.countDown();
        late.forEach(job -> job.complete(otherPage(job), 0));
    }
}
