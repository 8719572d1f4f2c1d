package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Markup;
import dev.tandem.lab.chart.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Several runs as one page: figures side by side, as ratios to the first run's, and overlaid
/// charts.
final class ComparisonPage {
    /// Facts that make figures of two runs hard to compare if they differ.
    private static final List<String> DECISIVE = List.of("processors", "jdk", "kernel", "form");

    private final Comparison comparison;
    private final List<Outcome> runs;
    private final Markup page;

    private ComparisonPage(Comparison comparison) {
        this.comparison = comparison;
        this.runs = comparison.runs();
        this.page = PageParts.begin(runs.getFirst().title() + ", compared");
    }

    static String of(Comparison comparison) {
        return new ComparisonPage(comparison).whole();
    }

    private String whole() {
        Outcome first = runs.getFirst();
        page.open("header");
        page.element("p", "tandem lab · " + first.experiment(), "class", "eyebrow");
        page.element("h1", first.title() + ", compared");
        page.element(
                "p",
                runs.size() + " runs. Ratios are to the first, " + first.name() + ".",
                "class",
                "lead");
        page.close();
        differences();
        figures();
        for (Chart chart : comparison.charts()) {
            page.open("section").open("figure").open("figcaption");
            page.element("h2", chart.caption().title());
            page.element("p", chart.caption().shows()).close();
            PageParts.drawing(page, chart);
            PageParts.data(page, chart, "the CSV files of the runs");
            page.close().close();
        }
        runs();
        return PageParts.end(page);
    }

    private void differences() {
        var lines = new ArrayList<String>();
        for (String name : DECISIVE) {
            var values = new LinkedHashSet<String>();
            runs.forEach(run -> values.add(run.facts().getOrDefault(name, "unknown")));
            if (values.size() > 1) {
                lines.add(name + ": " + String.join("; ", values));
            }
        }
        for (Outcome run : runs) {
            if (!run.warning().isEmpty()) {
                lines.add(run.name() + " is " + run.warning());
            }
        }
        if (!lines.isEmpty()) {
            page.open("section", "class", "warning");
            page.element("h2", "Not the same conditions").open("ul");
            lines.forEach(line -> page.element("li", line));
            page.close().close();
        }
    }

    private void figures() {
        page.open("section").element("h2", "Goals").open("div", "class", "scroll");
        page.open("table").open("thead").open("tr").element("th", "figure", "scope", "col");
        for (Outcome run : runs) {
            page.element("th", run.name(), "scope", "col", "class", "number");
            if (run != runs.getFirst()) {
                page.element("th", "ratio", "scope", "col", "class", "number");
            }
        }
        page.element("th", "goal", "scope", "col", "class", "number");
        page.close().close().open("tbody");
        comparison.figures().forEach(this::row);
        page.close().close().close().close();
    }

    private void row(String name, Map<Outcome, Outcome.Figure> figures) {
        Outcome.Figure any = figures.values().iterator().next();
        String unit = any.unit().isEmpty() ? "" : " (" + any.unit() + ")";
        page.open("tr").element("th", name + unit, "scope", "row");
        double base = value(figures, runs.getFirst());
        for (Outcome run : runs) {
            double value = value(figures, run);
            page.open("td", "class", "number").element("strong", Numbers.brief(value));
            Outcome.Figure figure = figures.get(run);
            if (figure != null && !figure.verdict().equals("–")) {
                page.text(" ");
                PageParts.verdict(page, figure.verdict());
            }
            page.close();
            if (run != runs.getFirst()) {
                String ratio = base == 0 ? "–" : Figures.show(value / base, 2);
                page.element("td", ratio, "class", "number");
            }
        }
        page.element("td", shownGoal(any.goal()), "class", "number").close();
    }

    private static String shownGoal(String goal) {
        return goal.isEmpty() ? "–" : goal.replace("<=", "≤").replace(">=", "≥");
    }

    private static double value(Map<Outcome, Outcome.Figure> figures, Outcome run) {
        Outcome.Figure figure = figures.get(run);
        return figure == null ? Double.NaN : figure.value();
    }

    private void runs() {
        page.open("section").element("h2", "Runs");
        for (Outcome run : runs) {
            page.open("details").element("summary", run.name()).open("dl");
            run.facts().forEach((name, fact) -> page.element("dt", name).element("dd", fact));
            page.close().close();
        }
        page.close();
    }
}
