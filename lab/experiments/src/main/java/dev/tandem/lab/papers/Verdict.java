package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;

/// Whether a figure agrees with its repetition.
enum Verdict {
    AGREES("agrees"),
    DIFFERS("**differs**"),
    /// A predicate's figure is missing in a complete run.
    UNDECIDED("**undecided**: not all was measured"),
    /// There is no predicate.
    SHOWN("shown, not judged by a rule"),
    /// A run began and is not complete: nothing of it counts.
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

    static Verdict of(PaperFigure figure, Part part) {
        if (figure.job() == null) {
            return MISSING;
        }
        RunResult result = part.complete();
        if (result == null) {
            return part.isBegun() ? PARTIAL : NOT_RUN;
        }
        if (figure.checks().isEmpty()) {
            return SHOWN;
        }
        boolean isUndecided = false;
        for (Check check : figure.checks()) {
            double value = check.of(result);
            isUndecided |= Double.isNaN(value);
            if (!Double.isNaN(value) && !check.holds(value)) {
                return DIFFERS;
            }
        }
        return isUndecided ? UNDECIDED : AGREES;
    }
}
