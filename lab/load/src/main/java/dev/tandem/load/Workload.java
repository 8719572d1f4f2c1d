package dev.tandem.load;

import java.util.random.RandomGenerator;

/// The behavior of users: a value that the generator runs.
public interface Workload {

    /// For reports.
    String name();

    /// Begins a user's session. Called by any of the generator's threads, several at a time.
    ///
    /// @param number of this session within the run, from 0; the same run has the same numbers
    /// @param random this session's own, made of the run's seed and `number`: the same seed gives
    ///     the same sessions, on however many threads
    Session begin(long number, RandomGenerator random);
}
