package dev.tandem.workloads;

import java.util.Iterator;
import java.util.random.RandomGenerator;

/// A workload as a value: the page views of its users, session by session. Immutable; any thread
/// may begin sessions.
public interface SessionSource {
    /// The name in reports.
    String name();

    /// Begins a user's session; it has at least one page.
    ///
    /// @param number of the session, from 0
    /// @param random the session's own; the same state gives the same session
    /// @return ends when the session ends; confined to one thread at a time
    Iterator<PageView> begin(long number, RandomGenerator random);
}
