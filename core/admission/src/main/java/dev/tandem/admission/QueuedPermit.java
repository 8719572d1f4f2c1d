package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// What a [PermitQueue] links: the one entry type of all queues. Guarded by the lock of the queue's
/// owner.
///
/// @param <P> the entry's own type
abstract sealed class QueuedPermit<P extends QueuedPermit<P>>
        permits Permit, DatabasePermit, HandshakePermit {
    /// Time of the last change of state, by the owner's [ElapsedClock].
    long since;

    /// The neighbors in the one queue that holds the entry.
    @Nullable P previous;

    @Nullable P next;
}
