package dev.tandem.engine;

import java.util.concurrent.atomic.LongAdder;

/// The memory that bodies take while loops collect them: at most a sixteenth of the heap, so that
/// many senders cannot fill it. More waits in the kernel and costs workers. Safe for use by any
/// thread; the bound is exceeded by at most one body's length for each loop.
public final class BodyMemory {
    private final LongAdder bytes = new LongAdder();
    private final long most;

    BodyMemory(long most) {
        this.most = most;
    }

    static BodyMemory ofHeap() {
        return new BodyMemory(Runtime.getRuntime().maxMemory() / 16);
    }

    public boolean hasRoom() {
        return bytes.sum() < most;
    }

    public void add(long count) {
        bytes.add(count);
    }

    public long bytes() {
        return bytes.sum();
    }
}
