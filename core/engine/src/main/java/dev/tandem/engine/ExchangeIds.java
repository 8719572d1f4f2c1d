package dev.tandem.engine;

import java.util.concurrent.atomic.AtomicLong;

/// Makes the ids of exchanges: a prefix made at start distinguishes this run of the server from
/// others, a number its exchanges from each other. Safe for use by any thread.
final class ExchangeIds {
    private static final int RADIX = 36;

    private final String prefix;
    private final AtomicLong last = new AtomicLong();

    ExchangeIds() {
        // Names need to differ, not to be secret; a secure random number would take 20 ms of start.
        long run = System.currentTimeMillis() << 16 ^ System.nanoTime() & 0xffff;
        prefix = Long.toString(run, RADIX) + "-";
    }

    public String next() {
        return prefix + Long.toString(last.incrementAndGet(), RADIX);
    }
}
