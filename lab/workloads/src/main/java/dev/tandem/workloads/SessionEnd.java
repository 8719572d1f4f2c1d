package dev.tandem.workloads;

import org.jspecify.annotations.Nullable;

/// The limits of a session that its graph does not end.
///
/// @param pagesMax the maximum number of pages; at least 1
/// @param stay the minimum time that a user stays, in seconds: once that much time was spent
///     thinking, the session ends instead of returning to the first page; null for no limit in time
public record SessionEnd(int pagesMax, @Nullable Distribution stay) {
    /// @throws IllegalArgumentException if `pagesMax` is out of range
    public SessionEnd {
        if (pagesMax < 1) {
            throw new IllegalArgumentException("pagesMax must be at least 1, was " + pagesMax);
        }
    }
}
