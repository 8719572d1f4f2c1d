package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// An entry of a [PermitQueue]: the base type of all permits. Guarded by the lock of the queue's
/// owner.
///
/// @param <P> the entry's own type
abstract class QueuedPermit<P extends QueuedPermit<P>> {
    /// Time of the last change of state, by the owner's [ElapsedClock].
    long since;

    /// The neighbors in the one queue that holds the entry.
    @Nullable P previous;

    @Nullable P next;
}
