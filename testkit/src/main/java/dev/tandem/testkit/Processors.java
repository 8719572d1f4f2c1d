package dev.tandem.testkit;

import java.util.Comparator;
import java.util.PriorityQueue;

/// Processors that are shared by the threads that want to compute: each gets the same part of
/// them (processor sharing). Where there are more threads than processors, each thread too many
/// costs a little of the whole, for switches and cold caches. Confined to its simulation's
/// thread.
public final class Processors {
    private final Simulation simulation;
    private final int count;
    private final double switchCost;

    /// Those that compute, by how much each of them will have got when it is done.
    private final PriorityQueue<Work> computing =
            new PriorityQueue<>(Comparator.comparingDouble(Work::doneAt));

    /// How many nanoseconds of a processor each thread got that has computed from the beginning.
    private double given;

    private long givenAt;
    private long version;

    private record Work(double doneAt, Runnable then) {}

    /// @param switchCost what part of all processors' time one thread too many costs: 0.002
    ///     means that with 100 too many, 1.2 times the time is needed
    public Processors(Simulation simulation, int count, double switchCost) {
        this.simulation = simulation;
        this.count = count;
        this.switchCost = switchCost;
    }

    /// Computes, then goes on.
    ///
    /// @param nanos of one processor
    public void compute(long nanos, Runnable then) {
        advance();
        computing.add(new Work(given + nanos, then));
        plan();
    }

    /// How many threads want to compute now.
    public int demand() {
        return computing.size();
    }

    private double rate() {
        int threads = computing.size();
        if (threads <= count) {
            return 1;
        }
        return (double) count / threads / (1 + switchCost * (threads - count));
    }

    private void advance() {
        given += (simulation.nanos() - givenAt) * rate();
        givenAt = simulation.nanos();
    }

    private void plan() {
        long planned = ++version;
        if (!computing.isEmpty()) {
            double left = Math.max(computing.peek().doneAt - given, 0);
            simulation.after((long) Math.ceil(left / rate()), () -> done(planned));
        }
    }

    private void done(long planned) {
        if (planned != version) {
            return; // somebody came or went meanwhile, and another end was planned
        }
        advance();
        Work work = computing.remove();
        given = Math.max(given, work.doneAt);
        plan();
        work.then.run();
    }
}
