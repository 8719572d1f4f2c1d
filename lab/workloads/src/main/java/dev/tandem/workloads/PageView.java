package dev.tandem.workloads;

import java.time.Duration;
import java.util.List;

/// A user's view of one page in a session.
///
/// @param think the user's think time before; 0 at the first page
/// @param page its name, which statistics are grouped by
/// @param main the page itself
/// @param embedded the requests after the page's response, in this order
public record PageView(Duration think, String page, Fetch main, List<Fetch> embedded) {
    /// @throws IllegalArgumentException if `think` is negative
    public PageView {
        if (think.isNegative()) {
            throw new IllegalArgumentException("think must be at least 0, was " + think);
        }
        embedded = List.copyOf(embedded);
    }

    /// The number of requests; at least 1.
    public int requests() {
        return 1 + embedded.size();
    }
}
