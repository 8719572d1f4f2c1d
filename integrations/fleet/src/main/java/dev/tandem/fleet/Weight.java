package dev.tandem.fleet;

/// The part of its usual share of requests that an instance asks for, in percent. Pure: one call a
/// second, from one thread.
///
/// It is the product of three factors:
///
/// - **warmth**: a tenth at first. It doubles after each second in which the instance served
///   requests, nearly all of them for routes whose times are learned, while the JVM hardly
///   compiled. Where routes are not learned, since a tenth of the requests teaches rare ones
///   slowly, it rises after each five such seconds as far as the processors suffice: what they did
///   in proportion may need four fifths of them. So it is measured, and no timer: an instance
///   without requests stays cold, and one that compiles for a minute takes a minute. Where all
///   instances are cold, their weights are the same.
/// - **speed**: the processors that it may use, as a part of the most that it had while it was
///   warm, for twenty seconds at least: one whose quota was halved asks for half at once, whatever
///   the load, and one that was given more for its start does not ask for less ever after. Also
///   what its processors do, if that is much less than the best that was seen; a little less is
///   nothing, since it depends on the load itself, and instances whose best was seen at different
///   loads would have different weights.
///   With a configured capacity instead: requests per second at full use, as a part of it. No part
///   of it depends on how many requests the balancer sends, so nothing can swing.
/// - **calm**: the part of the requests that admission did not reject in the last seconds, a half
///   at least. Where all instances reject the same part, nothing changes; one that rejects more,
///   as its database is slow, gets less until it rejects as much as the others. Not the
///   utilization: in an overload that is a number of waiting requests for each worker, and depends
///   on how many workers there happen to be.
final class Weight {
    /// A tenth: enough requests to compile for, and few of them slow.
    private static final double COLD = 0.1;

    /// 10 %: the part of a processor, or of the part of one that the instance may use, that
    /// compilers use on an instance that is warm enough.
    private static final double COMPILING_MAX = 0.1;

    /// 90 % of the requests.
    private static final double LEARNED_MIN = 0.9;

    /// Four fifths of the processors: as much as may be used after a step.
    private static final double USED_MAX = 0.8;

    /// 5 s until the effect of a step is seen: balancers ask every 2 s, the processors are a mean
    /// of 2 s, and an interval lasts 1 s.
    private static final double STEP_SECONDS = 5;

    private static final double STEP_MOST = 2;

    /// A hundredth: quotas are read exactly.
    private static final double SAME = 0.01;

    /// 20 s: more for a shorter time is a start's, which schedulers give until it is ready.
    private static final double HELD_SECONDS = 20;

    /// Below a fifth of the processors, most of what is used is not for requests.
    private static final double USED_MIN = 0.2;

    /// The speed is a mean of about one second more than what is reported: with three, halved
    /// processors are noticed two seconds later, and the weights are hardly steadier.
    private static final double SPEED_SECONDS = 1;

    /// The most that was seen fades by half in an hour: the application may have changed.
    private static final double FADING_SECONDS = 3600 / Math.log(2);

    /// A 64th of the way up in a second, after the mean of the first ones: a few seconds in which
    /// the load changes may be anything.
    private static final double RISE = 1.0 / 64;

    /// 10 s at first, until the means are of the present load.
    private static final int SETTLING = 10;

    /// The most that was seen begins as the mean of eight seconds; after them it only rises.
    private static final double FIRST_MEAN = 1.0 / 9;

    /// Processors are reported as a mean of two seconds, so responses are averaged in the same way:
    /// otherwise each change of the load would seem to be one of the speed.
    private static final double REPORT_SECONDS = 2;

    /// A mean of eight seconds: which sessions are rejected in one second is chance.
    private static final double CALM_SECONDS = 8;

    /// A half: an instance gets enough to show that it has recovered, and percentages, which are
    /// whole numbers, remain exact.
    private static final double CALM_LEAST = 0.5;

    /// A quarter less than the best is tolerated: requests per processor second differ as much
    /// between a fifth of the processors and all of them.
    private static final double TOLERATED = 0.75;

    private static final double LEAST = 0.02;

    private final double capacity;
    private double warmth = COLD;
    private double quietSeconds;
    private double recentRate;
    private double rate;
    private double used;
    private double best;
    private double available;
    private double heldSeconds;
    private double most;
    private double slowness = 1;
    private int measured;
    private double speed = 1;
    private double calm = 1;

    /// @param capacity requests per second at full use; 0 for the most that is seen
    Weight(double capacity) {
        this.capacity = capacity;
    }

    /// What happened in an interval.
    ///
    /// @param seconds how long it was, over 0
    /// @param served requests that were served, without rejections
    /// @param processors part of the processors that was used
    /// @param available processors that it may use, over 0
    /// @param accepted part of the requests that were not rejected; 1 if there were none
    /// @param compiling seconds for which the JVM's compilers ran, or waited for a processor
    /// @param learned part of the requests that were for learned routes
    record Interval(
            double seconds,
            double served,
            double processors,
            double available,
            double accepted,
            double compiling,
            double learned) {}

    void ended(Interval interval) {
        if (!(interval.seconds > 0)) {
            return;
        }
        warm(interval);
        measureSpeed(interval);
        double wanted = Math.clamp(interval.accepted, CALM_LEAST, 1);
        calm += (wanted - calm) * (1 - Math.exp(-interval.seconds / CALM_SECONDS));
    }

    private void warm(Interval interval) {
        // The JVM reports how long its compilers took, and not what they used: with a fifth of a
        // processor they take five times as long for the same work.
        double used = interval.compiling * Math.min(1, interval.available);
        boolean isQuiet = used <= COMPILING_MAX * interval.seconds;
        if (warmth >= 1 || interval.served < 1 || !isQuiet) {
            return;
        }
        quietSeconds += interval.seconds;
        double step = STEP_MOST;
        if (interval.learned < LEARNED_MIN) {
            step = Math.min(step, USED_MAX / interval.processors);
            if (quietSeconds < STEP_SECONDS || step <= 1) {
                return;
            }
        }
        warmth = Math.min(1, step * warmth);
        quietSeconds = 0;
    }

    private void measureSpeed(Interval interval) {
        double part = 1 - Math.exp(-interval.seconds / SPEED_SECONDS);
        double partOfReport = 1 - Math.exp(-interval.seconds / REPORT_SECONDS);
        recentRate += (interval.served / interval.seconds - recentRate) * partOfReport;
        rate += (recentRate - rate) * part;
        used += (interval.processors - used) * part;
        best *= Math.exp(-interval.seconds / FADING_SECONDS);
        if (Math.abs(interval.available - available) > SAME * available) {
            measured = 0; // the means are of other processors
            heldSeconds = 0;
        }
        available = interval.available;
        heldSeconds += warmth < 1 ? 0 : interval.seconds;
        if (heldSeconds >= HELD_SECONDS) {
            most = Math.max(most, available);
        }
        measureEach(part);
        speed = Math.clamp(capacity > 0 ? slowness : slowness * processorsPart(), LEAST, 1);
    }

    private double processorsPart() {
        return most > 0 ? Math.min(1, available / most) : 1;
    }

    /// Measures what each processor does, or all of them do of the configured capacity.
    private void measureEach(double part) {
        if (used < USED_MIN || warmth < 1) {
            slowness += (1 - slowness) * part;
            return;
        }
        measured++;
        if (measured <= SETTLING) {
            return; // the means still contain the time before
        }
        double atFullUse = rate / used;
        if (capacity > 0) {
            slowness = Math.min(1, atFullUse / capacity);
            return;
        }
        double ofEach = atFullUse / available;
        double first = 1.0 / (measured - SETTLING);
        double difference = ofEach - best;
        best += first > FIRST_MEAN ? difference * first : Math.max(0, difference) * RISE;
        slowness = Math.min(1, ofEach / (TOLERATED * best));
    }

    boolean isWarm() {
        return warmth >= 1;
    }

    double warmth() {
        return warmth;
    }

    double speed() {
        return speed;
    }

    double calm() {
        return calm;
    }

    /// Returns how many requests per second this instance asks for at most; 0 while that is not
    /// known.
    ///
    /// What it can do at full use, as it was learned while at least a fifth of its processors was
    /// used, and not from the present rate and utilization: where few requests come, most of what
    /// is used is not for them, so that an instance which gets few would ask for ever fewer.
    double requestsPerSecond() {
        if (capacity > 0) {
            return capacity * warmth * slowness * calm;
        }
        if (best > 0) {
            return best * available * slowness * calm;
        }
        return used < USED_MIN ? 0 : rate / used * calm;
    }

    /// Returns the weight, 1 to 100: 0 would mean that it drains.
    int percent() {
        return Math.clamp(Math.round(100 * warmth * speed * calm), 1, 100);
    }
}
