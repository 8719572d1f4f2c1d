package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.Processors;
import dev.tandem.testkit.Simulation;
import org.junit.jupiter.api.Test;

/// The simulated processors compared with queueing theory.
class ProcessorsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    /// With processor sharing, one processor and Poisson arrivals, work of mean S takes S / (1 -
    /// load) on average, whatever the distribution.
    @Test
    void sharedProcessorHasTheTimesOfQueueingTheory() {
        var simulation = new Simulation(1);
        var processors = new Processors(simulation, 1, 0);
        long[] sum = new long[2];
        simulation.poisson(
                nanos -> 80,
                2000 * SECOND,
                () -> {
                    long start = simulation.nanos();
                    processors.compute(
                            simulation.exponential(10 * MILLI),
                            () -> {
                                sum[0] += simulation.nanos() - start;
                                sum[1]++;
                            });
                });
        simulation.runUntil(2000 * SECOND);
        assertEquals(80, sum[1] / 2000.0, 2);
        assertEquals(50, (double) sum[0] / sum[1] / MILLI, 5);
    }

    @Test
    void excessThreadsCostTime() {
        var simulation = new Simulation(1);
        var processors = new Processors(simulation, 2, 0.01);
        long[] last = new long[1];
        for (int i = 0; i < 12; i++) {
            processors.compute(10 * MILLI, () -> last[0] = simulation.nanos());
        }
        simulation.runUntil(SECOND);
        // 60 ms of two processors, and 1 % more for each of ten threads too many.
        assertEquals(66, last[0] / MILLI, 1);
    }
}
