package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Markup;
import java.util.List;
import java.util.Map;

/// A report as one self-contained page: no script, no font, no external picture.
final class ReportPage {
    private ReportPage() {}

    static String of(Report report) {
        Findings findings = report.findings();
        Origin origin = report.origin();
        var page = PageParts.begin(findings.title());
        page.open("header");
        page.element("p", "tandem lab · " + origin.experiment(), "class", "eyebrow");
        page.element("h1", findings.title());
        page.element("p", findings.question(), "class", "lead");
        if (!findings.verdict().isEmpty()) {
            page.element("p", findings.verdict(), "class", "summary");
        }
        facts(page, origin);
        page.close();
        warnings(page, report);
        headline(page, findings.headline());
        report.files().forEach((file, chart) -> chart(page, file, chart));
        findings.tables().forEach((name, table) -> table(page, name, table));
        notes(page, findings.notes());
        origin(page, origin);
        return PageParts.end(page);
    }

    private static void facts(Markup page, Origin origin) {
        page.open("p", "class", "facts");
        for (String name : List.of("date", "processors", "commit")) {
            String fact = origin.machine().get(name);
            if (fact != null) {
                page.element("span", name.equals("date") ? day(fact) : fact);
            }
        }
        page.element("span", origin.form() + " run");
        page.close();
    }

    private static String day(String instant) {
        return instant.replace('T', ' ').replaceAll(":\\d\\dZ$", " UTC");
    }

    private static void warnings(Markup page, Report report) {
        String gap = report.gap();
        if (gap != null) {
            page.open("section", "class", "warning");
            page.element("h2", "Partial");
            page.element("p", "These results are incomplete: " + gap + ".");
            page.close();
        }
        list(page, "Doubtful", report.findings().doubts());
        list(page, "Disturbed", report.origin().disturbances());
    }

    private static void list(Markup page, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            page.open("section", "class", "warning");
            page.element("h2", title);
            page.open("ul");
            lines.forEach(line -> page.element("li", line));
            page.close().close();
        }
    }

    private static void headline(Markup page, List<Headline> lines) {
        if (lines.isEmpty()) {
            return;
        }
        page.open("section").element("h2", "Goals").open("div", "class", "scroll");
        page.open("table", "class", "goals").open("thead").open("tr");
        page.element("th", "figure", "scope", "col");
        page.element("th", "value", "scope", "col", "class", "number");
        page.element("th", "goal", "scope", "col", "class", "number");
        page.element("th", "reached", "scope", "col");
        page.close().close().open("tbody");
        for (Headline line : lines) {
            page.open("tr").element("th", line.name(), "scope", "row");
            page.open("td", "class", "number").element("strong", line.shown());
            page.element("span", line.unit().isEmpty() ? "" : " " + line.unit(), "class", "unit");
            page.close();
            page.element("td", line.shownGoal(), "class", "number");
            page.open("td");
            PageParts.verdict(page, line.verdict());
            page.close().close();
        }
        page.close().close().close().close();
    }

    private static void chart(Markup page, String file, Chart chart) {
        page.open("section").open("figure");
        page.open("figcaption").element("h2", chart.caption().title());
        page.element("p", chart.caption().shows()).close();
        PageParts.drawing(page, chart);
        PageParts.data(page, chart, file);
        page.close().close();
    }

    private static void table(Markup page, String name, Table table) {
        page.open("section").element("h2", name).open("div", "class", "scroll").open("table");
        List<List<String>> rows = table.rows();
        page.open("thead").open("tr");
        PageParts.cells(page, "th", rows.getFirst());
        page.close().close().open("tbody");
        for (List<String> row : rows.subList(1, rows.size())) {
            page.open("tr");
            PageParts.cells(page, "td", row);
            page.close();
        }
        page.close().close().close().close();
    }

    private static void notes(Markup page, List<String> notes) {
        if (!notes.isEmpty()) {
            page.open("section").element("h2", "Notes").open("ul");
            notes.forEach(note -> page.element("li", note));
            page.close().close();
        }
    }

    private static void origin(Markup page, Origin origin) {
        page.open("section").element("h2", "Taken with");
        page.open("pre").element("code", origin.command()).close();
        page.open("dl");
        entries(page, origin.machine());
        entries(page, Map.of("seed", Long.toString(origin.seed())));
        page.close();
        if (!origin.commands().isEmpty()) {
            page.open("details").element("summary", "How each program was started").open("dl");
            entries(page, origin.commands());
            page.close().close();
        }
        page.close();
    }

    private static void entries(Markup page, Map<String, String> entries) {
        entries.forEach((name, value) -> page.element("dt", name).element("dd", value));
    }
}
