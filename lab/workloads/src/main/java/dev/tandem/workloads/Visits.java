package dev.tandem.workloads;

import java.util.Iterator;
import java.util.random.RandomGenerator;

/// A workload as a value: what its visitors do, session after session. Immutable; any thread may
/// begin sessions.
public interface Visits {
    /// What it is called in reports.
    String name();

    /// What one visitor does from coming to leaving; at least one page.
    ///
    /// @param number of the session, from 0
    /// @param random that visitor's own; the same state gives the same session
    /// @return ends when the session ends; confined to one thread at a time
    Iterator<PageView> begin(long number, RandomGenerator random);
}
