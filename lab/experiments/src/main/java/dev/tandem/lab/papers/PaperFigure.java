package dev.tandem.lab.papers;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A figure or table of a paper, or several that belong together, and how they are repeated here.
///
/// @param ids of the figures, such as `thesis-4.18`: at least one
/// @param title in a few words
/// @param showed what the paper showed, in our own words
/// @param theirs the paper's axes and sizes
/// @param job the run that repeats it; null if there is none
/// @param charts the titles of the report's charts that show it
/// @param checks what the result must show to agree; all of them
/// @param why the reason of known differences, in sentences
/// @param probe the experiment that looks for that reason; null if there is none
record PaperFigure(
        Paper paper,
        List<String> ids,
        String title,
        String showed,
        String theirs,
        @Nullable Job job,
        List<String> charts,
        List<Check> checks,
        String why,
        @Nullable Probe probe) {

    /// An experiment that shows why a figure differs, or that a supposed reason is none. It has no
    /// part in the verdict.
    ///
    /// @param supposes the reason, in a sentence
    /// @param charts titles of the report's charts that show it
    /// @param checks what the result must show if that is the reason; all of them
    record Probe(String supposes, Job job, List<String> charts, List<Check> checks) {
        Probe {
            charts = List.copyOf(charts);
            checks = List.copyOf(checks);
        }
    }

    PaperFigure {
        ids = List.copyOf(ids);
        charts = List.copyOf(charts);
        checks = List.copyOf(checks);
    }

    /// A figure that is described, and not repeated yet.
    ///
    /// @param numbers such as `4.18`, or `table-4`; more than one if they belong together
    static PaperFigure of(Paper paper, String title, String... numbers) {
        List<String> ids = List.of(numbers).stream().map(n -> paper.id() + "-" + n).toList();
        return new PaperFigure(paper, ids, title, "", "", null, List.of(), List.of(), "", null);
    }

    PaperFigure showed(String text) {
        return new PaperFigure(paper, ids, title, text, theirs, job, charts, checks, why, probe);
    }

    PaperFigure theirs(String text) {
        return new PaperFigure(paper, ids, title, showed, text, job, charts, checks, why, probe);
    }

    PaperFigure by(Job its, String... titles) {
        return new PaperFigure(
                paper, ids, title, showed, theirs, its, List.of(titles), checks, why, probe);
    }

    PaperFigure agreesIf(Check... its) {
        return new PaperFigure(
                paper, ids, title, showed, theirs, job, charts, List.of(its), why, probe);
    }

    PaperFigure because(String text) {
        return new PaperFigure(paper, ids, title, showed, theirs, job, charts, checks, text, probe);
    }

    /// @param titles of the charts that show it
    PaperFigure probedBy(String supposes, Job by, List<String> titles, Check... its) {
        return new PaperFigure(
                paper,
                ids,
                title,
                showed,
                theirs,
                job,
                charts,
                checks,
                why,
                new Probe(supposes, by, titles, List.of(its)));
    }

    /// The runs that it needs: that which repeats it, and that which looks for reasons.
    List<Job> jobs() {
        return Stream.of(job, probe == null ? null : probe.job())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
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
