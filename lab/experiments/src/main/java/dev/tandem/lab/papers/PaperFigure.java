package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/// A figure or table of a paper, or several that belong together, and how they are repeated here.
///
/// @param ids of the figures, such as `thesis-4.18`: at least one
/// @param title in a few words
/// @param showed what the paper showed, in our own words
/// @param theirs the paper's axes and sizes
/// @param runs that repeat it, the most important one first; empty if there are none
/// @param why the reason of known differences, in sentences
/// @param reasons experiments that show why it differs, or that a supposed reason is none; they
///     have no part in the verdict
record PaperFigure(
        Paper paper,
        List<String> ids,
        String title,
        String showed,
        String theirs,
        List<Shown> runs,
        String why,
        List<Shown> reasons) {
    PaperFigure {
        ids = List.copyOf(ids);
        runs = List.copyOf(runs);
        reasons = List.copyOf(reasons);
    }

    /// A figure that is described, and not repeated yet.
    ///
    /// @param numbers such as `4.18`, or `table-4`; more than one if they belong together
    static PaperFigure of(Paper paper, String title, String... numbers) {
        List<String> ids = Stream.of(numbers).map(number -> paper.id() + "-" + number).toList();
        return new PaperFigure(paper, ids, title, "", "", List.of(), "", List.of());
    }

    PaperFigure showed(String text) {
        return new PaperFigure(paper, ids, title, text, theirs, runs, why, reasons);
    }

    PaperFigure theirs(String text) {
        return new PaperFigure(paper, ids, title, showed, text, runs, why, reasons);
    }

    /// Adds the run that repeats it.
    ///
    /// @param titles of the charts that show it
    PaperFigure by(Job job, String... titles) {
        return and("", job, titles);
    }

    /// Adds another run.
    ///
    /// @param says what it adds, in a sentence
    PaperFigure and(String says, Job job, String... titles) {
        return with(runs, new Shown(says, job, List.of(titles), List.of()));
    }

    /// Sets what the last run must show to agree.
    PaperFigure agreesIf(Check... its) {
        Shown last = runs.getLast().withChecks(List.of(its));
        return with(runs.subList(0, runs.size() - 1), last);
    }

    private PaperFigure with(List<Shown> before, Shown last) {
        List<Shown> all = Stream.concat(before.stream(), Stream.of(last)).toList();
        return new PaperFigure(paper, ids, title, showed, theirs, all, why, reasons);
    }

    PaperFigure because(String text) {
        return new PaperFigure(paper, ids, title, showed, theirs, runs, text, reasons);
    }

    /// Adds an experiment that shows why it differs.
    ///
    /// @param supposes the reason, in a sentence
    /// @param titles of the charts that show it
    /// @param its what the result must show if that is the reason
    PaperFigure probedBy(String supposes, Job by, List<String> titles, Check... its) {
        var reason = new Shown(supposes, by, titles, List.of(its));
        List<Shown> all = Stream.concat(reasons.stream(), Stream.of(reason)).toList();
        return new PaperFigure(paper, ids, title, showed, theirs, runs, why, all);
    }

    /// The runs that its verdict needs.
    List<Job> verdictJobs() {
        return judged().stream().map(Shown::job).distinct().toList();
    }

    /// All its runs: those that repeat it, and those that look for reasons.
    List<Job> jobs() {
        return Stream.concat(runs.stream(), reasons.stream()).map(Shown::job).distinct().toList();
    }

    /// What the results must show to agree with the paper.
    List<Check> checks() {
        return runs.stream().flatMap(run -> run.checks().stream()).toList();
    }

    /// Whether our results agree with the paper.
    ///
    /// @param parts of its runs
    Verdict verdict(Function<Job, Part> parts) {
        if (runs.isEmpty()) {
            return Verdict.MISSING;
        }
        List<Part> all = verdictJobs().stream().map(parts).toList();
        if (all.stream().noneMatch(Part::isBegun)) {
            return Verdict.NOT_RUN;
        }
        if (!all.stream().allMatch(Part::isComplete)) {
            return Verdict.PARTIAL;
        }
        if (checks().isEmpty()) {
            return Verdict.SHOWN;
        }
        boolean isUndecided = false;
        for (Shown run : judged()) {
            RunResult result = Objects.requireNonNull(parts.apply(run.job()).complete());
            for (Check check : run.checks()) {
                double value = check.of(result);
                isUndecided |= Double.isNaN(value);
                if (!Double.isNaN(value) && !check.holds(value)) {
                    return Verdict.DIFFERS;
                }
            }
        }
        return isUndecided ? Verdict.UNDECIDED : Verdict.AGREES;
    }

    /// Runs without a check have no part in the verdict, unless none has one.
    private List<Shown> judged() {
        List<Shown> judged = runs.stream().filter(run -> !run.checks().isEmpty()).toList();
        return judged.isEmpty() ? runs : judged;
    }

    /// The first of its names: that of its heading and files.
    String id() {
        return ids.getFirst();
    }

    /// Its numbers in the paper, such as `3.1 to 3.10`.
    String numbers() {
        int prefix = paper.id().length() + 1;
        List<String> numbers = ids.stream().map(id -> id.substring(prefix)).toList();
        return numbers.size() > 4
                ? numbers.getFirst() + " to " + numbers.getLast()
                : String.join(", ", numbers);
    }
}
