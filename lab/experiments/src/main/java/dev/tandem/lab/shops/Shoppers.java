package dev.tandem.lab.shops;

import dev.tandem.load.Workload;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Visitors of whom it is known beforehand how long they mean to stay.
public interface Shoppers extends Workload {

    /// How long a visitor's session lasts where no answer takes any time: all that it thinks.
    ///
    /// @param number as [#begin]
    /// @param random in the state in which [#begin] gets it
    Duration offered(long number, RandomGenerator random);
}
