package dev.tandem.lab.papers;

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
        Part part = part(figure);
        if (!part.isBegun()) {
            return;
        }
        for (String id : figure.ids()) {
            Path folder = store.folder().resolve(id);
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("result.json"), Json.of(asMap(figure, part)));
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

    private Part part(PaperFigure figure) {
        Job job = figure.job();
        return job == null ? Part.NONE : store.best(job);
    }

    private Map<String, @Nullable Object> asMap(PaperFigure figure, Part part) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("figures", figure.ids());
        map.put("title", figure.title());
        map.put("verdict", Verdict.of(figure, part).name().toLowerCase(Locale.ROOT));
        map.put("complete", part.isComplete());
        map.put("partialBecause", part.isComplete() ? null : part.problem());
        RunResult result = part.result();
        if (result != null) {
            map.put("command", result.command());
            map.put("form", result.form());
            map.put("repetitions", result.repetitions());
            map.put("machine", new TreeMap<>(result.machine()));
            map.put("checks", figure.checks().stream().map(c -> asMap(c, result)).toList());
            map.put("charts", charts(figure.charts(), result).stream().map(ChartJson::of).toList());
        }
        PaperFigure.Probe probe = figure.probe();
        RunResult reason = probe == null ? null : store.best(probe.job()).complete();
        if (probe != null && reason != null) {
            map.put("probe", reason.command());
            map.put("probeSupposes", probe.supposes());
            map.put("probeChecks", probe.checks().stream().map(c -> asMap(c, reason)).toList());
        }
        return map;
    }

    private static Map<String, @Nullable Object> asMap(Check check, RunResult result) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        double value = check.of(result);
        map.put("says", check.says());
        map.put("value", value);
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
            counts.merge(Verdict.of(figure, part(figure)), figure.ids().size(), Integer::sum);
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
        Part part = part(figure);
        RunResult result = part.complete();
        return "| [%s %s](#%s) | %s | %s | %s | %s |%n"
                .formatted(
                        figure.paper().id(),
                        figure.numbers(),
                        anchor(figure),
                        figure.title(),
                        Verdict.of(figure, part).words(),
                        result == null ? "" : result.form(),
                        result == null ? "" : Integer.toString(result.repetitions()));
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
        Part part = part(figure);
        var text = new StringBuilder("### " + heading(figure) + "\n\n");
        text.append("**The paper:** ").append(figure.showed()).append("\n\n");
        text.append("**Its axes and sizes:** ").append(sentence(figure.theirs())).append("\n\n");
        Job job = figure.job();
        RunResult result = part.complete();
        text.append("**Here:** ").append(Verdict.of(figure, part).words());
        if (job == null) {
            text.append(". ").append(figure.why()).append('\n');
            return text.toString();
        }
        if (result == null) {
            text.append(part.isBegun() ? ": " + sentence(part.problem()) : ".");
            text.append(" `").append(job.command(Form.FULL)).append("` repeats it.\n");
        } else {
            text.append(", `").append(result.command()).append("`.\n\n");
            text.append(sizes(figure.charts(), job, result)).append('\n');
            checks(figure.checks(), "agrees if it ", result, text);
            drawings(figure.charts(), result, text, new Drawings(figure.id() + "-", drawings));
        }
        if (!figure.why().isBlank()) {
            text.append("\n**Known differences:** ").append(figure.why().strip()).append('\n');
        }
        if (figure.probe() != null) {
            probe(figure, figure.probe(), text, drawings);
        }
        return text.toString();
    }

    /// The reason of a difference, as an experiment shows it.
    private void probe(
            PaperFigure figure,
            PaperFigure.Probe probe,
            StringBuilder text,
            Map<String, String> drawings) {
        Part part = store.best(probe.job());
        RunResult result = part.complete();
        text.append("\n**Supposed reason");
        if (result == null) {
            String state = part.isBegun() ? ", not measured: " + part.problem() : ", not measured";
            text.append(state).append(":** ").append(sentence(probe.supposes()));
            text.append(" `").append(probe.job().command(Form.FULL)).append("` shows it.\n");
            return;
        }
        text.append(", measured:** ").append(sentence(probe.supposes()));
        text.append(" `").append(result.command()).append("`.\n\n");
        text.append(sizes(probe.charts(), probe.job(), result)).append('\n');
        checks(probe.checks(), "so if it ", result, text);
        var files = new Drawings(figure.id() + "-reason-", drawings);
        drawings(probe.charts(), result, text, files);
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    private static String sizes(List<String> titles, Job job, RunResult result) {
        Form form = result.form().equals(Form.FULL.toString()) ? Form.FULL : Form.QUICK;
        var axes = new LinkedHashSet<String>();
        charts(titles, result).forEach(chart -> axes.add(Axes.of(chart)));
        int disturbed = result.disturbances().size();
        return "**Our axes and sizes:** "
                + String.join("; ", axes)
                + ". "
                + (form == Form.QUICK ? "**Quick form**" : "Full form")
                + ", "
                + result.repetitions()
                + (result.repetitions() == 1 ? " repetition" : " repetitions")
                + "; "
                + job.sizes(form, result.settings())
                + ". Commit "
                + result.machine().getOrDefault("commit", "unknown")
                + (disturbed == 0 ? "" : "; disturbed: " + String.join("; ", result.disturbances()))
                + ".\n";
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
                    .append("; ")
                    .append(rule)
                    .append(check.bounds())
                    .append(Double.isNaN(value) ? "" : ": " + holds)
                    .append('\n');
        }
    }

    /// Files of drawings.
    ///
    /// @param prefix of their names
    private record Drawings(String prefix, Map<String, String> files) {}

    private static void drawings(
            List<String> titles, RunResult result, StringBuilder text, Drawings to) {
        int number = 1;
        for (Chart chart : charts(titles, result)) {
            String file = to.prefix + number++ + ".svg";
            to.files.put(file, ChartFile.svg(chart));
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
