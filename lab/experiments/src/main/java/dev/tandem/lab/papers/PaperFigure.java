package dev.tandem.lab.papers;

import java.util.List;
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
record PaperFigure(
        Paper paper,
        List<String> ids,
        String title,
        String showed,
        String theirs,
        @Nullable Job job,
        List<String> charts,
        List<Check> checks,
        String why) {
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
        return new PaperFigure(paper, ids, title, "", "", null, List.of(), List.of(), "");
    }

    PaperFigure showed(String text) {
        return new PaperFigure(paper, ids, title, text, theirs, job, charts, checks, why);
    }

    PaperFigure theirs(String text) {
        return new PaperFigure(paper, ids, title, showed, text, job, charts, checks, why);
    }

    PaperFigure by(Job its, String... titles) {
        return new PaperFigure(
                paper, ids, title, showed, theirs, its, List.of(titles), checks, why);
    }

    PaperFigure agreesIf(Check... its) {
        return new PaperFigure(paper, ids, title, showed, theirs, job, charts, List.of(its), why);
    }

    PaperFigure because(String text) {
        return new PaperFigure(paper, ids, title, showed, theirs, job, charts, checks, text);
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
