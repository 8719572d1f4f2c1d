package dev.tandem.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Events during the measurement that may have changed its figures. Confined to one thread.
final class Disturbances {
    /// Limits, each in processors, as a mean over one measurement.
    static final double STOLEN_MAX = 0.05;

    static final double OTHERS_MAX = Measurement.FOREIGN_MAX;

    /// Share of the processor time available to the generator: above it, the load may be less than
    /// requested.
    static final double GENERATOR_MAX = 0.95;

    /// Maximum drift of the wall clock from the steady clock in a measurement, in seconds: NTP
    /// slews by at most half a millisecond a second.
    static final double CLOCK_MAX = 0.05;

    /// Minimum share of free descriptors.
    static final double DESCRIPTORS_FREE_MIN = 0.05;

    /// Kinds of disturbance.
    enum Kind {
        STOLEN("the host gave %.2f processors to others"),
        OTHERS("other processes used %.2f processors"),
        FOREIGN("others, or the host, took %.2f processors"),
        GENERATOR(
                "%.2f of the load generator's processors were used: the server may do more than"
                        + " this"),
        DESCRIPTORS("only %.2f of all descriptors were free: raise the limit by ulimit -n"),
        CLOCK("the clock was set by %.2f s");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /// How often a kind was seen, where it was worst, and how bad it was there.
    private record Seen(int count, String worstAt, double worst) {}

    private final Map<Kind, Seen> seen = new LinkedHashMap<>();
    private int measurements;

    /// The machine's counters at a moment.
    ///
    /// @param nanos of a steady clock
    /// @param millis of the wall clock
    /// @param familyTicks CPU that this process and all processes that it started have used
    /// @param descriptorsFree as a share of this process's limit
    record Moment(
            long nanos,
            long millis,
            Kernel.Activity activity,
            long familyTicks,
            double descriptorsFree) {

        static Moment now() throws LabException {
            long own = ProcessHandle.current().pid();
            double open = Kernel.descriptorCount(own);
            return new Moment(
                    System.nanoTime(),
                    System.currentTimeMillis(),
                    Kernel.activity(),
                    Kernel.familyTicks(),
                    1 - open / Kernel.descriptorsMax());
        }
    }

    /// Compares two moments.
    ///
    /// @param where what was measured between them
    /// @return whether anything disturbed
    boolean between(Moment before, Moment after, String where) {
        measurements++;
        double seconds = (after.nanos - before.nanos) / 1e9;
        double ticks = seconds * Kernel.TICKS_PER_SECOND;
        double stolen = after.activity.stolenTicks() - before.activity.stolenTicks();
        double busy = after.activity.busyTicks() - before.activity.busyTicks();
        double others = busy - (after.familyTicks - before.familyTicks);
        double set = Math.abs((after.millis - before.millis) / 1e3 - seconds);
        boolean isDisturbed = above(Kind.STOLEN, stolen / ticks, STOLEN_MAX, where);
        isDisturbed |= above(Kind.OTHERS, others / ticks, OTHERS_MAX, where);
        isDisturbed |= above(Kind.CLOCK, set, CLOCK_MAX, where);
        if (after.descriptorsFree < DESCRIPTORS_FREE_MIN) {
            add(Kind.DESCRIPTORS, after.descriptorsFree, where);
            isDisturbed = true;
        }
        return isDisturbed;
    }

    /// Records a measurement that was repeated because others disturbed it.
    ///
    /// @return whether even the quietest attempt was disturbed
    boolean foreign(Measurement measurement, String where) {
        measurements++;
        return above(Kind.FOREIGN, measurement.foreignShare(), OTHERS_MAX, where);
    }

    /// @param share of the processor time available to the load generator that it used; NaN if
    ///     unknown
    /// @return whether it was saturated
    boolean generator(double share, String where) {
        return above(Kind.GENERATOR, share, GENERATOR_MAX, where);
    }

    private boolean above(Kind kind, double value, double most, String where) {
        boolean isAbove = value > most;
        if (isAbove) {
            add(kind, value, where);
        }
        return isAbove;
    }

    private void add(Kind kind, double value, String where) {
        Seen before = seen.getOrDefault(kind, new Seen(0, where, value));
        boolean isWorse = kind == Kind.DESCRIPTORS ? value <= before.worst : value >= before.worst;
        int count = before.count + 1;
        seen.put(
                kind,
                isWorse
                        ? new Seen(count, where, value)
                        : new Seen(count, before.worstAt, before.worst));
    }

    /// One sentence for each kind that was seen.
    List<String> sentences() {
        var sentences = new ArrayList<String>();
        seen.forEach(
                (kind, what) ->
                        sentences.add(
                                "%s (%d of %d measurements, worst at %s)"
                                        .formatted(
                                                Figures.format(kind.words, what.worst),
                                                what.count,
                                                Math.max(measurements, what.count),
                                                what.worstAt)));
        return sentences;
    }
}
