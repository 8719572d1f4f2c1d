package dev.tandem.files;

import dev.tandem.files.Found.Document;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Where files too large for memory were found a moment ago: finding one costs ten times what
/// opening it does. What is said of a file is checked against it once more when it is opened, so
/// this may be old, but never makes an answer wrong. Shared by all threads.
final class Seen {
    /// Some 2 MB. When it is full, all is forgotten: what is asked for comes back at once.
    private static final int COUNT_MAX = 4096;

    private final ConcurrentHashMap<String, Sighting> sightings = new ConcurrentHashMap<>();
    private final long recheckNanos;

    /// @param nanos when, of the clock of [System#nanoTime()]
    record Sighting(Document document, Label label, long nanos) {}

    /// @param recheckNanos how old what is told may be
    Seen(long recheckNanos) {
        this.recheckNanos = recheckNanos;
    }

    @Nullable Sighting get(String tail, long nowNanos) {
        Sighting sighting = sightings.get(tail);
        return sighting == null || nowNanos - sighting.nanos >= recheckNanos ? null : sighting;
    }

    void put(String tail, Sighting sighting) {
        if (sightings.size() >= COUNT_MAX) {
            sightings.clear();
        }
        sightings.put(tail, sighting);
    }

    void forget(String tail) {
        sightings.remove(tail);
    }
}
