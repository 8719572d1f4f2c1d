package dev.tandem.files;

import dev.tandem.files.Found.Document;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Where files were found lately. Finding one takes a dozen system calls, most of them for the
/// walks along its path and the root's: 10 microseconds, where one look at the file takes 1.6.
/// For the recheck time, that one look is enough: a file that is still the same one is still in
/// the root.
///
/// Each path has one place, and newcomers take it from others. Shared by all threads.
final class Places {

    /// A power of two.
    private static final int SIZE = 1_024;

    private final AtomicReferenceArray<@Nullable Place> places = new AtomicReferenceArray<>(SIZE);
    private final long recheckNanos;

    /// What was found.
    ///
    /// @param tail the path it was asked for by
    /// @param lookedNanos when, by the clock of [System#nanoTime()]; from before the look
    /// @param forms the other forms of it; of one that is made, those it is one of
    record Place(String tail, Document document, Label label, long lookedNanos, Forms forms) {

        /// What has no other form.
        Place(String tail, Document document, Label label, long lookedNanos) {
            this(tail, document, label, lookedNanos, Forms.NONE);
        }

        /// The same with another label and forms.
        Place with(Label other, Forms forms) {
            return new Place(tail, document, other, lookedNanos, forms);
        }
    }

    Places(long recheckNanos) {
        this.recheckNanos = recheckNanos;
    }

    /// What was found at a path not longer ago than the recheck time.
    @Nullable Place get(String tail, long nowNanos) {
        Place place = places.get(index(tail));
        boolean isGood =
                place != null
                        && nowNanos - place.lookedNanos < recheckNanos
                        && place.tail.equals(tail);
        return isGood ? place : null;
    }

    /// A file that is not settled is not kept: it may look the same when it is not.
    void put(Place place) {
        if (place.label.isSettled()) {
            places.set(index(place.tail), place);
        } else {
            forget(place.tail);
        }
    }

    void forget(String tail) {
        places.set(index(tail), null);
    }

    private static int index(String tail) {
        int hash = tail.hashCode();
        return (hash ^ hash >>> 16) & SIZE - 1;
    }
}
