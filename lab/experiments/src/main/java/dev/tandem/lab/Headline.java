package dev.tandem.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A figure for which an experiment was designed.
///
/// @param value NaN if it was not measured
/// @param unit may be empty, for ratios
/// @param goal null if it has none
record Headline(String name, double value, String unit, @Nullable Goal goal) {

    /// A required value.
    ///
    /// @param isAtMost whether the bound is an upper one, else a lower one; the bound itself is
    ///     good
    record Goal(boolean isAtMost, double bound) {
        static Goal atMost(double bound) {
            return new Goal(true, bound);
        }

        static Goal atLeast(double bound) {
            return new Goal(false, bound);
        }

        boolean isReachedBy(double value) {
            return isAtMost ? value <= bound : value >= bound;
        }

        @Override
        public String toString() {
            String number =
                    bound == Math.rint(bound) && (bound == 0 || Math.abs(bound) >= 10)
                            ? Figures.show(bound, 0)
                            : Figures.show(bound, 2);
            return (isAtMost ? "<= " : ">= ") + number;
        }
    }

    /// The goal for people; a dash where there is none.
    String shownGoal() {
        return goal == null ? "–" : goal.toString().replace("<=", "≤").replace(">=", "≥");
    }

    boolean isMeasured() {
        return Double.isFinite(value);
    }

    /// The value for people.
    String shown() {
        boolean isCount = value == Math.rint(value) && (value == 0 || Math.abs(value) >= 2);
        return Figures.show(value, isCount || Math.abs(value) >= 100 ? 0 : 2);
    }

    /// `yes`, `no`, or why it is undecided.
    String verdict() {
        if (!isMeasured()) {
            return "not measured";
        }
        if (goal == null) {
            return "no goal";
        }
        return goal.isReachedBy(value) ? "yes" : "no";
    }

    /// For `result.json`: `value` is null where it was not measured, `goal` and `reached` where
    /// there is none.
    Map<String, @Nullable Object> asMap() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("name", name);
        map.put("value", value);
        map.put("unit", unit);
        map.put("goal", goal == null ? null : goal.toString());
        map.put("reached", goal == null || !isMeasured() ? null : goal.isReachedBy(value));
        return map;
    }

    /// Returns in a sentence which goals are reached; empty if there are none.
    static String goals(List<Headline> lines) {
        List<Headline> wanted = lines.stream().filter(line -> line.goal != null).toList();
        List<String> missed =
                wanted.stream()
                        .filter(line -> !line.verdict().equals("yes"))
                        .map(
                                line ->
                                        line.isMeasured()
                                                ? "%s is %s, goal %s"
                                                        .formatted(
                                                                line.name,
                                                                line.shown(),
                                                                line.shownGoal())
                                                : line.name + " was not measured")
                        .toList();
        if (wanted.isEmpty()) {
            return "";
        }
        String reached =
                wanted.size() == 1
                        ? "The goal is " + (missed.isEmpty() ? "" : "not ") + "reached"
                        : "%d of %d goals are reached"
                                .formatted(wanted.size() - missed.size(), wanted.size());
        return missed.isEmpty() ? reached + "." : reached + ": " + String.join("; ", missed) + ".";
    }

    static Table table(List<Headline> headlines) {
        var table = new Table("figure", "value", "unit", "goal", "reached");
        for (Headline line : headlines) {
            table.row(
                    line.name,
                    line.shown(),
                    line.unit,
                    line.goal == null ? "–" : line.goal.toString(),
                    line.verdict());
        }
        return table;
    }
}
