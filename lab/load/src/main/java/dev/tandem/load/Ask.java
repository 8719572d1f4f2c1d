package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// A call that is to be made or under way; an element of its connection's queue.
final class Ask {
    final Call call;

    /// Its place in the step.
    final int index;

    /// When it was meant to go out.
    long dueNanos;

    long sentNanos;

    /// When the answer's first byte came; 0 before.
    long firstNanos;

    int retries;

    /// Its number in the [Transcript], if there is one.
    long number;

    @Nullable Ask next;

    Ask(Call call, int index) {
        this.call = call;
        this.index = index;
    }

    /// As if it had never been sent.
    void unsend() {
        sentNanos = 0;
        firstNanos = 0;
    }
}
