package dev.tandem.lab.papers;

import static java.util.stream.Collectors.joining;

import dev.tandem.lab.ChartFile;
import dev.tandem.lab.Form;
import dev.tandem.lab.Json;
import dev.tandem.lab.LabException;
import dev.tandem.lab.RunResult;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.ChartJson;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.States;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The page of all figures, its drawings, and a result for each figure.
///
/// @param store of the runs
/// @param page its file
record PaperPage(Store store, Path page) {
    private static final String HEAD =
            """
            # The papers' figures, repeated

            Every figure and table of the five papers that Tandem repeats
            ([laboratory](lab.md#the-papers-figures)): what it showed, in our own words, and ours
            below it. Written by `tandem lab run papers`, not by hand; `--list` shows what is there,
            `--figure thesis-4.18` measures one, and the same command continues a run that was
            interrupted.

            A predicate over our result says **agrees** or **differs**; it is printed with its
            value. A figure is published only of a run that is complete. **A quick run is a look**:
            measurements of seconds, on a JVM that is hardly warm. Evidence is what full runs show.
            """;

    /// Where a page's drawings and results are.
    static Path drawings(Path page) {
        return page.resolveSibling("results").resolve("papers");
    }

    /// @throws LabException if a file cannot be written; names it
    void write(List<PaperFigure> figures) throws LabException {
        var drawings = new TreeMap<String, String>();
        String text = markdown(figures, drawings);
        try {
            Path folder = drawings(page);
            Files.createDirectories(folder);
            try (var old = Files.newDirectoryStream(folder, "*.svg")) {
                for (Path file : old) {
                    if (!drawings.containsKey(file.getFileName().toString())) {
                        Files.delete(file);
                    }
                }
            }
            for (var drawing : drawings.entrySet()) {
                Files.writeString(folder.resolve(drawing.getKey()), drawing.getValue());
            }
            for (PaperFigure figure : figures) {
                publish(figure);
            }
            Files.writeString(page, text);
        } catch (IOException e) {
            throw new LabException("cannot write " + page + " and its files: " + e.getMessage());
        }
    }

    /// Writes the results of a figure: its own, and that of its run next to the page.
    private void publish(PaperFigure figure) throws IOException {
        if (figure.runs().stream().noneMatch(run -> store.best(run.job()).isBegun())) {
            return;
        }
        for (String id : figure.ids()) {
            Path folder = store.folder().resolve(id);
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("result.json"), Json.of(asMap(figure)));
        }
        for (Job job : figure.jobs()) {
            publish(job, store.best(job));
        }
    }

    private void publish(Job job, Part part) throws IOException {
        Path published = store.published(job);
        if (part.isComplete() && part.file() != null && !published.equals(part.file())) {
            Files.writeString(published, Files.readString(part.file()));
        }
    }

    private Verdict verdict(PaperFigure figure) {
        return figure.verdict(store::best);
    }

    private Map<String, @Nullable Object> asMap(PaperFigure figure) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("figures", figure.ids());
        map.put("title", figure.title());
        map.put("verdict", verdict(figure).name().toLowerCase(Locale.ROOT));
        map.put("runs", figure.runs().stream().map(this::asMap).toList());
        map.put("reasons", figure.reasons().stream().map(this::asMap).toList());
        return map;
    }

    private Map<String, @Nullable Object> asMap(Shown shown) {
        Part part = store.best(shown.job());
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("run", shown.job().name());
        map.put("says", shown.says());
        map.put("complete", part.isComplete());
        map.put("partialBecause", part.isComplete() ? null : part.problem());
        RunResult result = part.result();
        if (result != null) {
            map.put("command", result.command());
            map.put("form", result.form());
            map.put("repetitions", result.repetitions());
            map.put("machine", new TreeMap<>(result.machine()));
            map.put("checks", shown.checks().stream().map(c -> asMap(c, result)).toList());
            map.put("charts", charts(shown.charts(), result).stream().map(ChartJson::of).toList());
        }
        return map;
    }

    private static Map<String, @Nullable Object> asMap(Check check, RunResult result) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        double value = check.of(result);
        map.put("says", check.says());
        map.put("value", value);
        map.put("byRepetition", check.spread(result));
        map.put("agreesIf", "it " + check.bounds());
        map.put("holds", Double.isNaN(value) ? null : check.holds(value));
        return map;
    }

    private static List<Chart> charts(List<String> titles, RunResult result) {
        return titles.stream()
                .flatMap(
                        title ->
                                result.charts().stream()
                                        .filter(c -> c.caption().title().equals(title))
                                        .limit(1))
                .toList();
    }

    // ---- The text.

    private String markdown(List<PaperFigure> figures, Map<String, String> drawings) {
        var text = new StringBuilder(HEAD);
        text.append('\n').append(counts(figures)).append('\n');
        differences(figures).forEach(line -> text.append("\n**").append(line).append("**\n"));
        text.append("\n| figure | of | verdict | form | repetitions |\n|---|---|---|---|---:|\n");
        for (PaperFigure figure : figures) {
            text.append(row(figure));
        }
        Paper paper = null;
        for (PaperFigure figure : figures) {
            if (figure.paper() != paper) {
                paper = figure.paper();
                text.append("\n## ").append(paper.id()).append("\n\n");
                text.append(paper.citation()).append(".\n");
            }
            text.append('\n').append(section(figure, drawings));
        }
        return text.toString();
    }

    private String counts(List<PaperFigure> figures) {
        var counts = new EnumMap<Verdict, Integer>(Verdict.class);
        int all = 0;
        for (PaperFigure figure : figures) {
            counts.merge(verdict(figure), figure.ids().size(), Integer::sum);
            all += figure.ids().size();
        }
        var words = new ArrayList<String>();
        counts.forEach((verdict, n) -> words.add(n + " " + verdict.words().replace("*", "")));
        return all + " figures and tables: " + String.join(", ", words) + ".";
    }

    /// Names what makes parts of the page incomparable.
    private List<String> differences(List<PaperFigure> figures) {
        var lines = new ArrayList<String>();
        var values = new TreeMap<String, Map<String, LinkedHashSet<String>>>();
        for (PaperFigure figure : figures) {
            for (Job job : figure.jobs()) {
                RunResult result = store.best(job).complete();
                if (result != null) {
                    result.identity()
                            .forEach(
                                    (fact, value) ->
                                            values.computeIfAbsent(fact, _ -> new TreeMap<>())
                                                    .computeIfAbsent(
                                                            value, _ -> new LinkedHashSet<>())
                                                    .add(job.name()));
                }
            }
        }
        values.forEach(
                (fact, byValue) -> {
                    if (byValue.size() > 1) {
                        var parts = new ArrayList<String>();
                        byValue.forEach(
                                (v, of) -> parts.add(v + " (" + String.join(", ", of) + ")"));
                        lines.add(
                                "The "
                                        + fact
                                        + " changed between parts, so their figures do not compare:"
                                        + " "
                                        + String.join("; ", parts)
                                        + ".");
                    }
                });
        return lines;
    }

    private String row(PaperFigure figure) {
        List<RunResult> results =
                figure.runs().stream()
                        .map(run -> store.best(run.job()).complete())
                        .filter(Objects::nonNull)
                        .map(Objects::requireNonNull)
                        .toList();
        String forms = results.stream().map(RunResult::form).distinct().collect(joining(", "));
        String repetitions =
                results.stream()
                        .map(result -> Integer.toString(result.repetitions()))
                        .distinct()
                        .collect(joining(", "));
        return "| [%s %s](#%s) | %s | %s | %s | %s |%n"
                .formatted(
                        figure.paper().id(),
                        figure.numbers(),
                        anchor(figure),
                        figure.title(),
                        verdict(figure).words(),
                        forms,
                        repetitions);
    }

    private static String heading(PaperFigure figure) {
        return figure.paper().id() + " " + figure.numbers() + ": " + figure.title();
    }

    /// As Markdown's renderers make it of a heading.
    private static String anchor(PaperFigure figure) {
        return heading(figure)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-');
    }

    private String section(PaperFigure figure, Map<String, String> drawings) {
        var text = new StringBuilder("### " + heading(figure) + "\n\n");
        text.append("**The paper:** ").append(figure.showed()).append("\n\n");
        text.append("**Its axes and sizes:** ").append(sentence(figure.theirs())).append("\n\n");
        text.append("**Here:** ").append(verdict(figure).words());
        if (figure.runs().isEmpty()) {
            text.append(". ").append(figure.why()).append('\n');
            return text.toString();
        }
        var files = new Drawings(figure.id() + "-", drawings);
        for (Shown run : figure.runs()) {
            boolean isFirst = run.says().isEmpty();
            text.append(isFirst ? "" : "\n**Also:** " + sentence(run.says()));
            text.append(isFirst ? first(run) : " " + command(run)).append('\n');
            shown(run, "agrees if it ", text, files);
        }
        if (!figure.why().isBlank()) {
            text.append("\n**Known differences:** ").append(figure.why().strip()).append('\n');
        }
        var reasons = new Drawings(figure.id() + "-reason-", drawings);
        for (Shown reason : figure.reasons()) {
            String state = store.best(reason.job()).isComplete() ? "measured" : "not measured";
            text.append("\n**Supposed reason, ").append(state).append(":** ");
            text.append(sentence(reason.says())).append(' ').append(command(reason)).append('\n');
            shown(reason, "so if it ", text, reasons);
        }
        return text.toString();
    }

    /// What follows the verdict: the command, or why there is no result.
    private String first(Shown run) {
        Part part = store.best(run.job());
        if (part.isComplete()) {
            return ", " + command(run);
        }
        return (part.isBegun() ? ": " : ". ") + command(run);
    }

    /// The command of a result, in a sentence; or why there is none.
    private String command(Shown shown) {
        Part part = store.best(shown.job());
        RunResult result = part.complete();
        if (result != null) {
            return "`" + result.command() + "`.";
        }
        String repeats = "`" + shown.job().command(Form.FULL) + "` measures it.";
        return part.isBegun() ? sentence(part.problem()) + " " + repeats : repeats;
    }

    /// Sizes, checks and drawings of a run that is complete.
    ///
    /// @param rule before the bounds of a check
    private void shown(Shown shown, String rule, StringBuilder text, Drawings files) {
        RunResult result = store.best(shown.job()).complete();
        if (result != null) {
            text.append('\n').append(sizes(shown.charts(), shown.job(), result)).append('\n');
            checks(shown.checks(), rule, result, text);
            drawings(shown.charts(), result, text, files);
        }
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    private static String sizes(List<String> titles, Job job, RunResult result) {
        Form form = result.form().equals(Form.FULL.toString()) ? Form.FULL : Form.QUICK;
        var axes = new LinkedHashSet<String>();
        charts(titles, result).forEach(chart -> axes.add(Axes.of(chart)));
        return (axes.isEmpty()
                        ? "**Our sizes:** "
                        : "**Our axes and sizes:** " + String.join("; ", axes) + ". ")
                + (form == Form.QUICK ? "**Quick form**" : "Full form")
                + ", "
                + result.repetitions()
                + (result.repetitions() == 1 ? " repetition" : " repetitions")
                + "; "
                + job.sizes(form, result.settings())
                + ". Commit "
                + result.machine().getOrDefault("commit", "unknown")
                + clause(warmth(result))
                + clause(sentences("disturbed", result.disturbances()))
                + clause(sentences("doubtful", result.doubts()))
                + ".\n";
    }

    private static String warmth(RunResult result) {
        return Warmth.parse(result.machine().getOrDefault(RunResult.WARM, "")).clause();
    }

    private static String sentences(String word, List<String> sentences) {
        return sentences.isEmpty()
                ? ""
                : word
                        + ": "
                        + String.join(
                                "; ", sentences.stream().map(PaperPage::withoutStop).toList());
    }

    /// @param text may be empty
    private static String clause(String text) {
        return text.isEmpty() ? "" : "; " + text;
    }

    private static String withoutStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /// @param rule before the bounds
    private static void checks(
            List<Check> checks, String rule, RunResult result, StringBuilder text) {
        for (Check check : checks) {
            double value = check.of(result);
            String holds = check.holds(value) ? "it does" : "**it does not**";
            text.append("- ")
                    .append(check.says())
                    .append(": ")
                    .append(Check.number(value))
                    .append(spread(check.spread(result)))
                    .append("; ")
                    .append(rule)
                    .append(check.bounds())
                    .append(Double.isNaN(value) ? "" : ": " + holds)
                    .append('\n');
        }
    }

    private static String spread(List<Double> each) {
        return each.isEmpty()
                ? ""
                : " ("
                        + Check.number(each.getFirst())
                        + " to "
                        + Check.number(each.getLast())
                        + " in single repetitions)";
    }

    /// Files of a figure's drawings, numbered. Confined to one thread.
    private static final class Drawings {
        private final String prefix;
        private final Map<String, String> files;
        private int number;

        /// @param prefix of their names
        Drawings(String prefix, Map<String, String> files) {
            this.prefix = prefix;
            this.files = files;
        }

        /// Adds one, and returns its name.
        String add(Chart chart) {
            number++;
            String file = prefix + number + ".svg";
            files.put(file, ChartFile.svg(chart));
            return file;
        }
    }

    private static void drawings(
            List<String> titles, RunResult result, StringBuilder text, Drawings to) {
        for (Chart chart : charts(titles, result)) {
            String file = to.add(chart);
            text.append("\n![")
                    .append(chart.caption().title())
                    .append("](results/papers/")
                    .append(file)
                    .append(")\n");
        }
        List<String> drawn =
                charts(titles, result).stream().map(chart -> chart.caption().title()).toList();
        for (String title : titles) {
            if (!drawn.contains(title)) {
                text.append("\nThe result has no chart `").append(title).append("`.\n");
            }
        }
    }

    /// Names of a chart's axes.
    private static final class Axes {
        private Axes() {}

        static String of(Chart chart) {
            return switch (chart) {
                case Lines lines -> "x: " + lines.x().label() + ", y: " + lines.y().label();
                case Bars bars -> "y: " + bars.value().label();
                case HeatMap map ->
                        "x: " + map.x() + ", y: " + map.y() + ", cells: " + map.value().label();
                case States states -> "x: " + states.time().label();
            };
        }
    }
}
