package dev.tandem.testkit;

import java.util.Comparator;
import java.util.PriorityQueue;

/// Processors that are shared by the threads that want to compute: each gets the same part of them
/// (processor sharing). If there are more threads than processors, each additional thread costs a
/// little of the whole, for switches and cold caches. Confined to its simulation's thread.
public final class Processors {
    private final Simulation simulation;
    private final int count;
    private final double switchCost;

    /// The computing threads, by the processor time that each will have got when it is done.
    private final PriorityQueue<Work> computing =
            new PriorityQueue<>(Comparator.comparingDouble(Work::doneAt));

    /// The processor time in nanoseconds of a thread that has computed from the beginning.
    private double given;

    private long givenAt;
    private long version;

    /// The part of the processors that other programs leave.
    private double left = 1;

    /// The number of watched threads among them.
    private int watched;

    private double running;
    private double ready;

    private record Work(double doneAt, boolean isWatched, Runnable then) {}

    /// @param switchCost the part of all processors' time that one additional thread costs: 0.002
    ///     means that with 100 too many, 1.2 times the time is needed
    public Processors(Simulation simulation, int count, double switchCost) {
        this.simulation = simulation;
        this.count = count;
        this.switchCost = switchCost;
    }

    /// Computes, then runs `then`.
    ///
    /// @param nanos of one processor
    public void compute(long nanos, Runnable then) {
        compute(nanos, false, then);
    }

    /// As [#compute], by a thread whose times [#runningNanos] and [#readyNanos] include.
    public void computeWatched(long nanos, Runnable then) {
        compute(nanos, true, then);
    }

    private void compute(long nanos, boolean isWatched, Runnable then) {
        advance();
        computing.add(new Work(given + nanos, isWatched, then));
        watched += isWatched ? 1 : 0;
        plan();
    }

    /// Sets the part of all processors that other programs use from now on.
    ///
    /// @param part 0 to less than 1
    public void taken(double part) {
        advance();
        left = 1 - part;
        plan();
    }

    /// The total time that watched threads had a processor.
    public long runningNanos() {
        advance();
        return (long) running;
    }

    /// The total time that watched threads waited for a processor.
    public long readyNanos() {
        advance();
        return (long) ready;
    }

    /// The number of threads that want to compute now.
    public int demand() {
        return computing.size();
    }

    /// The part of its time that a thread that wants to compute has a processor.
    private double share() {
        return Math.min(1, left * count / Math.max(1, computing.size()));
    }

    private double rate() {
        return share() / (1 + switchCost * Math.max(0, computing.size() - count));
    }

    private void advance() {
        long passed = simulation.nanos() - givenAt;
        given += passed * rate();
        running += passed * share() * watched;
        ready += passed * (1 - share()) * watched;
        givenAt = simulation.nanos();
    }

    private void plan() {
        long planned = ++version;
        if (!computing.isEmpty()) {
            double missing = Math.max(computing.peek().doneAt - given, 0);
            simulation.after((long) Math.ceil(missing / rate()), () -> done(planned));
        }
    }

    private void done(long planned) {
        if (planned != version) {
            return; // the set of threads changed, and another end was planned
        }
        advance();
        Work work = computing.remove();
        given = Math.max(given, work.doneAt);
        watched -= work.isWatched ? 1 : 0;
        plan();
        work.then.run();
    }
}
