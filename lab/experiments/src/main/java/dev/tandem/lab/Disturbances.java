package dev.tandem.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What went on beside the measuring and may have changed its figures. Confined to one thread.
final class Disturbances {
    /// Limits, each in processors, as a mean over one take.
    static final double STOLEN_MAX = 0.05;

    static final double OTHERS_MAX = Take.FOREIGN_MAX;

    /// Of what the generator may use: above it, the load may be less than was asked for.
    static final double GENERATOR_MAX = 0.95;

    /// How far the wall clock may drift from the steady one in a take, in seconds: NTP slews by at
    /// most half a millisecond a second.
    static final double CLOCK_MAX = 0.05;

    /// The least share of descriptors that should be free.
    static final double DESCRIPTORS_FREE_MIN = 0.05;

    /// What can go on.
    enum Kind {
        STOLEN("the host gave %.2f processors to others"),
        OTHERS("other processes used %.2f processors"),
        FOREIGN("others, or the host, took %.2f processors"),
        GENERATOR("the load generator used %.2f of what it had: the server may do more than this"),
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
    private int takes;

    /// The machine's accounts at a moment.
    ///
    /// @param nanos of a steady clock
    /// @param millis of the wall clock
    /// @param familyTicks CPU that this process and all that it started have used
    /// @param descriptorsFree as a share of those that this process may have
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
        takes++;
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

    /// Of a take that was repeated while others disturbed it.
    ///
    /// @return whether even the quietest of its tries was
    boolean foreign(Take take, String where) {
        takes++;
        return above(Kind.FOREIGN, take.foreignShare(), OTHERS_MAX, where);
    }

    /// @param share of what the load generator may use that it used; NaN if that is not known
    /// @return whether it had no more to give
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

    /// One for each kind that was seen.
    List<String> sentences() {
        var sentences = new ArrayList<String>();
        seen.forEach(
                (kind, what) ->
                        sentences.add(
                                "%s (%d of %d takes, worst at %s)"
                                        .formatted(
                                                Figures.format(kind.words, what.worst),
                                                what.count,
                                                Math.max(takes, what.count),
                                                what.worstAt)));
        return sentences;
    }
}
