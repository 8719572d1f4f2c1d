package dev.tandem.workloads;

import org.jspecify.annotations.Nullable;

/// When a session ends that its graph does not end.
///
/// @param pagesMax how many pages it has at most; at least 1
/// @param stay how long a visitor stays at least, in seconds: the session ends instead of coming
///     back to the first page, once that much time was spent thinking; null if time ends nothing
public record SessionEnd(int pagesMax, @Nullable Distribution stay) {
    /// @throws IllegalArgumentException if `pagesMax` is out of range
    public SessionEnd {
        if (pagesMax < 1) {
            throw new IllegalArgumentException("pagesMax must be at least 1, was " + pagesMax);
        }
    }
}
