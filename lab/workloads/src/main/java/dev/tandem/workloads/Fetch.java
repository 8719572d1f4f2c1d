package dev.tandem.workloads;

import java.time.Duration;

/// One thing that a visitor asks for.
///
/// @param target what to ask for: a path that begins with a slash, or a page's name where what it
///     is asked for by is the site's matter
/// @param bytes how long the answer's content is; -1 where that is not known beforehand
/// @param gap how long the visitor waits before it, after the one before has come
/// @param unchangedShare how likely a visitor's copy is still good, so that the answer to a
///     conditional request is 304; 0 to 1
public record Fetch(String target, long bytes, Duration gap, double unchangedShare) {
    /// @throws IllegalArgumentException if a value is out of range; names it
    public Fetch {
        if (bytes < -1) {
            throw new IllegalArgumentException("bytes must be at least -1, was " + bytes);
        }
        if (gap.isNegative()) {
            throw new IllegalArgumentException("gap must be at least 0, was " + gap);
        }
        Checks.share("unchangedShare", unchangedShare);
    }
}
