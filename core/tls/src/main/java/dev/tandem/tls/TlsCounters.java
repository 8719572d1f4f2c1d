package dev.tandem.tls;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// What happened to the handshakes and connections of a context. Thread safe; only ever grows.
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

    /// Handshakes with all key work.
    public long fullHandshakes() {
        return fullHandshakes.sum();
    }

    /// Handshakes that went on with an earlier session.
    public long resumedHandshakes() {
        return resumedHandshakes.sum();
    }

    /// The time spent on full handshakes within [TlsSession#handshake], without waiting.
    public long fullNanos() {
        return fullNanos.sum();
    }

    /// The same of resumed ones.
    public long resumedNanos() {
        return resumedNanos.sum();
    }

    /// Full handshakes whose client had claimed to resume.
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
