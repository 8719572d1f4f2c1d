package dev.tandem.tls;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Counters of the handshakes and connections of a context. Thread-safe; values only increase.
public final class TlsCounters {
    private final LongAdder fullHandshakes = new LongAdder();
    private final LongAdder resumedHandshakes = new LongAdder();
    private final LongAdder fullNanos = new LongAdder();
    private final LongAdder resumedNanos = new LongAdder();
    private final LongAdder falseClaims = new LongAdder();
    private final Map<FailureReason, LongAdder> failures = new EnumMap<>(FailureReason.class);

    TlsCounters() {
        for (FailureReason reason : FailureReason.values()) {
            failures.put(reason, new LongAdder());
        }
    }

    /// Returns the number of full handshakes.
    public long fullHandshakes() {
        return fullHandshakes.sum();
    }

    /// Returns the number of resumed handshakes.
    public long resumedHandshakes() {
        return resumedHandshakes.sum();
    }

    /// Returns the total time of full handshakes within [TlsSession#handshake], without waiting.
    public long fullNanos() {
        return fullNanos.sum();
    }

    /// Returns the total time of resumed handshakes.
    public long resumedNanos() {
        return resumedNanos.sum();
    }

    /// Returns the number of full handshakes whose client had offered to resume.
    public long falseClaims() {
        return falseClaims.sum();
    }

    public long failures(FailureReason reason) {
        LongAdder count = failures.get(reason);
        return count == null ? 0 : count.sum();
    }

    void handshake(boolean isResumed, boolean isClaimed, long nanos) {
        (isResumed ? resumedHandshakes : fullHandshakes).increment();
        (isResumed ? resumedNanos : fullNanos).add(nanos);
        if (isClaimed && !isResumed) {
            falseClaims.increment();
        }
    }

    void failure(FailureReason reason) {
        LongAdder count = failures.get(reason);
        if (count != null) {
            count.increment();
        }
    }
}
