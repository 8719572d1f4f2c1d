package dev.tandem.lab.shops;

import dev.tandem.load.Workload;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Clients whose intended session lengths are known beforehand.
public interface PlannedWorkload extends Workload {

    /// Returns how long a session lasts if no response takes any time: the sum of its think times.
    ///
    /// @param number as [#begin]
    /// @param random in the state in which it is passed to [#begin]
    Duration offered(long number, RandomGenerator random);
}
