package dev.tandem.admission;

/// What workers did in some time. *Work* is runs, each counted by its route's mean time. Guarded by
/// the admission's lock.
final class WorkSample {
    private double work;
    private double squares;

    /// How long the runs took that the work is of.
    private double spent;

    /// How many ran at a moment, by time.
    private double busy;

    private long time;

    /// @param weight 0 if the route is not known
    void ran(double weight, long nanos) {
        work += weight;
        squares += weight * weight;
        spent += weight > 0 ? nanos : 0;
    }

    /// More has passed.
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

    /// How many runs of equal weight would tell as much.
    double runs() {
        return squares == 0 ? 0 : work * work / squares;
    }

    /// Work by time; by Little's law, from how many ran and how long a piece of work took them, so
    /// that runs which end in swarms do not show.
    double rate() {
        return spent == 0 ? 0 : work / spent * (busy / time);
    }
}
