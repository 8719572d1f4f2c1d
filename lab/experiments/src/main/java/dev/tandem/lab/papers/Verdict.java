package dev.tandem.lab.papers;

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
}
