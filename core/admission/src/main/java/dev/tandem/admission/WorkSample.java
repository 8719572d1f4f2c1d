package dev.tandem.admission;

/// The work of the workers in some time. *Work* is runs, each weighted by its route's mean time.
/// Guarded by the admission's lock.
final class WorkSample {
    private double work;
    private double squares;

    /// Nanoseconds of the runs that the work consists of.
    private double spent;

    /// The number of running requests, integrated over time.
    private double busy;

    private long time;

    /// A run has ended.
    ///
    /// @param weight 0 if the route is not known
    void ran(double weight, long nanos) {
        work += weight;
        squares += weight * weight;
        spent += weight > 0 ? nanos : 0;
    }

    /// Adds the work of another interval.
    ///
    /// @param running how many ran, on average
    void add(WorkSample more, int running, long nanos) {
        work += more.work;
        squares += more.squares;
        spent += more.spent;
        busy += (double) running * nanos;
        time += nanos;
    }

    void clear() {
        work = 0;
        squares = 0;
        spent = 0;
        busy = 0;
        time = 0;
    }

    long time() {
        return time;
    }

    /// Returns how many runs of equal weight have the same relative noise.
    double runs() {
        return squares == 0 ? 0 : work * work / squares;
    }

    /// Returns work by time: by Little's law, from the number of runs and the time of a piece of
    /// work, so that runs which end at the same moment have no effect.
    double rate() {
        return spent == 0 ? 0 : work / spent * (busy / time);
    }
}
