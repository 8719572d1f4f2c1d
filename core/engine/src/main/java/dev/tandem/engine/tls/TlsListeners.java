package dev.tandem.engine.tls;

import dev.tandem.tls.FailureReason;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsCounters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// State of all TLS listeners of a server together. Safe for use by any thread.
public final class TlsListeners {
    private final List<TlsContext> contexts = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();

    public void add(TlsContext context) {
        contexts.add(context);
    }

    public boolean isEmpty() {
        return contexts.isEmpty();
    }

    /// Returns the count of open connections, handshakes included.
    public AtomicInteger open() {
        return open;
    }

    /// Returns the name of the engine that does the cryptography; empty if there is no TLS.
    public String engineName() {
        return contexts.isEmpty() ? "" : contexts.getFirst().engineName();
    }

    public long full() {
        return contexts.stream().mapToLong(c -> c.counters().fullHandshakes()).sum();
    }

    public long resumed() {
        return contexts.stream().mapToLong(c -> c.counters().resumedHandshakes()).sum();
    }

    public long falseClaims() {
        return contexts.stream()
                .map(TlsContext::counters)
                .mapToLong(TlsCounters::falseClaims)
                .sum();
    }

    public long failures(FailureReason reason) {
        return contexts.stream().mapToLong(c -> c.counters().failures(reason)).sum();
    }
}
