package dev.tandem.engine.http2;

import dev.tandem.http.h2.Priority;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Priorities that a client has signalled for streams before it opened them (RFC 9218, section
/// 7.1). Confined to the loop.
final class EarlyPriorities {
    /// How many are kept: 16. Clients send the signal just before the request. The oldest is
    /// dropped for another one.
    static final int MOST = 16;

    private final ArrayDeque<Signal> signals = new ArrayDeque<>(2);

    private record Signal(int streamId, Priority priority) {}

    /// Notes the priority of an idle stream; the last one for a stream counts.
    void put(int streamId, Priority priority) {
        signals.removeIf(signal -> signal.streamId == streamId);
        if (signals.size() == MOST) {
            signals.remove();
        }
        signals.add(new Signal(streamId, priority));
    }

    /// Returns the priority of a stream that is opened, or null. Those of streams below it are
    /// dropped: they are closed.
    @Nullable Priority take(int streamId) {
        Priority found = null;
        for (Iterator<Signal> all = signals.iterator(); all.hasNext(); ) {
            Signal signal = all.next();
            if (signal.streamId <= streamId) {
                all.remove();
                found = signal.streamId == streamId ? signal.priority : found;
            }
        }
        return found;
    }
}
