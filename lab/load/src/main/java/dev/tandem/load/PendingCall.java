package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// A call that waits to be sent or is under way; an element of its connection's queue.
final class PendingCall {
    final Call call;

    /// The index within the step.
    final int index;

    /// The time it was scheduled for.
    long dueNanos;

    long sentNanos;

    /// When the first byte of the response arrived; 0 before.
    long firstNanos;

    int retries;

    /// How often the server refused its HTTP/2 stream.
    int refusedCount;

    /// The number in the [Transcript], if there is one.
    long number;

    @Nullable PendingCall next;

    PendingCall(Call call, int index) {
        this.call = call;
        this.index = index;
    }

    /// Resets the state to that before it was sent.
    void resetToUnsent() {
        sentNanos = 0;
        firstNanos = 0;
    }
}
