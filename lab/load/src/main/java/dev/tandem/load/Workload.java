package dev.tandem.load;

import java.util.random.RandomGenerator;

/// What visitors do: a value that the generator plays.
public interface Workload {

    /// For reports.
    String name();

    /// Begins a visitor's session. Called by any of the generator's threads, several at a time.
    ///
    /// @param number which session of the run this is, from 0; the same run has the same numbers
    /// @param random this session's own, made of the run's seed and `number`: the same seed gives
    ///     the same sessions, on however many threads
    Session begin(long number, RandomGenerator random);
}
