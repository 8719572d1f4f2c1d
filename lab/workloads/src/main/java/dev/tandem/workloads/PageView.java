package dev.tandem.workloads;

import java.time.Duration;
import java.util.List;

/// What a visitor does at one page of a session.
///
/// @param think how long the visitor thinks before; 0 at the first page
/// @param page its name, what statistics are kept by
/// @param main the page itself
/// @param embedded what is asked for once the page is there, in this order
public record PageView(Duration think, String page, Fetch main, List<Fetch> embedded) {
    /// @throws IllegalArgumentException if `think` is negative
    public PageView {
        if (think.isNegative()) {
            throw new IllegalArgumentException("think must be at least 0, was " + think);
        }
        embedded = List.copyOf(embedded);
    }

    /// How many things are asked for; at least 1.
    public int requests() {
        return 1 + embedded.size();
    }
}
