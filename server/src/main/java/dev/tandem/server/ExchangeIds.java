package dev.tandem.server;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Names exchanges: a prefix drawn at start tells this run of the server from others, a number
/// tells its exchanges apart. Safe for use by any thread.
final class ExchangeIds {
    private static final int RADIX = 36;

    private final String prefix;
    private final AtomicLong last = new AtomicLong();

    ExchangeIds() {
        // 2^40 runs: two of the same name are not met in years.
        prefix = Long.toString(new SecureRandom().nextLong(1L << 40), RADIX) + "-";
    }

    String next() {
        return prefix + Long.toString(last.incrementAndGet(), RADIX);
    }
}
