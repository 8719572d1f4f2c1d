package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/// Whether a figure agrees with its repetition.
enum Verdict {
    AGREES("agrees"),
    DIFFERS("**differs**"),
    /// A predicate's figure is missing in a complete run.
    UNDECIDED("**undecided**: not all was measured"),
    /// There is no predicate.
    SHOWN("shown, not judged by a rule"),
    /// Not all of its runs are complete.
    PARTIAL("**partial**"),
    NOT_RUN("not run yet"),
    /// There is no experiment that repeats it.
    MISSING("no repetition yet");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /// For the page.
    String words() {
        return words;
    }

    /// @param parts of its runs
    static Verdict of(PaperFigure figure, Function<Job, Part> parts) {
        if (figure.runs().isEmpty()) {
            return MISSING;
        }
        List<Part> all = judged(figure).stream().map(Shown::job).map(parts).toList();
        if (all.stream().noneMatch(Part::isBegun)) {
            return NOT_RUN;
        }
        if (!all.stream().allMatch(Part::isComplete)) {
            return PARTIAL;
        }
        if (figure.checks().isEmpty()) {
            return SHOWN;
        }
        boolean isUndecided = false;
        for (Shown run : judged(figure)) {
            RunResult result = Objects.requireNonNull(parts.apply(run.job()).complete());
            for (Check check : run.checks()) {
                double value = check.of(result);
                isUndecided |= Double.isNaN(value);
                if (!Double.isNaN(value) && !check.holds(value)) {
                    return DIFFERS;
                }
            }
        }
        return isUndecided ? UNDECIDED : AGREES;
    }

    /// Runs without a check have no part in the verdict, unless none has one.
    private static List<Shown> judged(PaperFigure figure) {
        List<Shown> judged = figure.runs().stream().filter(r -> !r.checks().isEmpty()).toList();
        return judged.isEmpty() ? figure.runs() : judged;
    }
}
