package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a result must show to agree with a paper: a number within bounds.
///
/// @param says what the number is
/// @param above the number, or its numerator
/// @param below its denominator; null if there is none
/// @param least lower bound, which agrees itself
/// @param most upper bound, the same
record Check(String says, Term above, @Nullable Term below, double least, double most) {

    static Check ratio(String says, Term above, Term below, double least, double most) {
        return new Check(says, above, below, least, most);
    }

    static Check value(String says, Term of, double least, double most) {
        return new Check(says, of, null, least, most);
    }

    static Check atLeast(String says, Term above, Term below, double least) {
        return new Check(says, above, below, least, Double.POSITIVE_INFINITY);
    }

    static Check atMost(String says, Term above, @Nullable Term below, double most) {
        return new Check(says, above, below, Double.NEGATIVE_INFINITY, most);
    }

    /// NaN if it was not measured.
    double of(RunResult result) {
        double value = above.of(result);
        return below == null ? value : value / below.of(result);
    }

    /// The same of each repetition alone, ascending; empty for fewer than two.
    List<Double> spread(RunResult result) {
        Map<Integer, Double> of = above.byRepetition(result);
        Map<Integer, Double> by = below == null ? Map.of() : below.byRepetition(result);
        List<Double> each =
                of.keySet().stream()
                        .filter(n -> below == null || by.containsKey(n))
                        .map(n -> of.getOrDefault(n, 0.0) / by.getOrDefault(n, 1.0))
                        .sorted()
                        .toList();
        return each.size() < 2 ? List.of() : each;
    }

    boolean holds(double value) {
        return value >= least && value <= most;
    }

    /// The bounds in words.
    String bounds() {
        if (least == most) {
            return "is " + number(least);
        }
        if (Double.isInfinite(most)) {
            return "is at least " + number(least);
        }
        return Double.isInfinite(least)
                ? "is at most " + number(most)
                : "is " + number(least) + " to " + number(most);
    }

    /// A number for people.
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "not measured";
        }
        if (Double.isInfinite(value)) {
            return "unbounded";
        }
        boolean isWhole = value == Math.rint(value);
        return isWhole || Math.abs(value) >= 100
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }
}
