package dev.tandem.engine;

import java.util.concurrent.atomic.LongAdder;

/// Counts the requests that arrive: how many are the first on their connections. Safe for use by
/// any thread.
public final class RequestArrivals {
    private final LongAdder first = new LongAdder();
    private final LongAdder later = new LongAdder();

    RequestArrivals() {}

    public void count(boolean isFirst) {
        (isFirst ? first : later).increment();
    }

    long first() {
        return first.sum();
    }

    long later() {
        return later.sum();
    }
}
