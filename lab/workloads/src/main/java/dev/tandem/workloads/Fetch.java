package dev.tandem.workloads;

import java.time.Duration;

/// One request of a user.
///
/// @param target a path that begins with a slash, or a page's name if the site determines the path
/// @param bytes the length of the response's content; -1 if it is not known beforehand
/// @param gap the time the user waits before it, after the response before
/// @param unchangedShare the probability that the user's copy is still valid, so that the response
///     to a conditional request is 304; 0 to 1
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
