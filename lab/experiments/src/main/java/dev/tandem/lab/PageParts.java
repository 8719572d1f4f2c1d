package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.DataTable;
import dev.tandem.lab.chart.Drawing;
import dev.tandem.lab.chart.Markup;
import dev.tandem.lab.chart.Numbers;
import dev.tandem.lab.chart.Size;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Common parts of the lab's pages.
final class PageParts {
    /// Maximum rows of the table behind a chart; its CSV file has all.
    private static final int ROWS_MAX = 300;

    /// No external resources, no script: a hostile name that was not escaped would do nothing.
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'";

    /// Of a drawing: its colours, light, and how its parts look.
    private static final String DRAWING = style("drawing.css");

    private static final String STYLE = DRAWING + style("report.css");

    private PageParts() {}

    private static String style(String name) {
        try (InputStream in = PageParts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The style sheet of a drawing without a page around it.
    static String drawingStyle() {
        return DRAWING;
    }

    /// Begins a page; its content follows.
    static Markup begin(String title) {
        var page = new Markup();
        page.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").open("head");
        page.empty("meta", "charset", "utf-8");
        page.empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.empty("meta", "name", "color-scheme", "content", "light dark");
        page.element("title", title + " · Tandem");
        page.style(STYLE);
        return page.close().open("body").open("main");
    }

    static String end(Markup page) {
        return "<!DOCTYPE html>\n" + page.close().close().close();
    }

    /// Shows whether a goal is reached: in words, by a sign and by colour.
    static void verdict(Markup page, String verdict) {
        switch (verdict) {
            case "yes" -> page.element("span", "✓ reached", "class", "verdict yes");
            case "no" -> page.element("span", "✗ not reached", "class", "verdict no");
            default -> page.element("span", verdict, "class", "verdict none");
        }
    }

    /// For wide screens and paper, and for phones: the style sheet shows one of them.
    static void drawing(Markup page, Chart chart) {
        for (Size size : Size.values()) {
            page.add(Drawing.of(chart, size));
        }
        if (chart.omitted() > 0) {
            page.element(
                    "p",
                    chart.omitted() + " values are not drawn: they have no position on the axis.",
                    "class",
                    "omitted");
        }
    }

    /// The numbers behind a chart, collapsed at first.
    ///
    /// @param file with all of them
    static void data(Markup page, Chart chart, String file) {
        DataTable data = chart.data();
        page.open("details").open("summary");
        page.text("Data: " + data.rows().size() + " rows, also in " + file).close();
        page.open("div", "class", "scroll").open("table").open("thead").open("tr");
        int names = data.rows().isEmpty() ? 1 : data.rows().getFirst().names().size();
        for (int i = 0; i < data.head().size(); i++) {
            page.element("th", data.head().get(i), "class", i < names ? "first" : "number");
        }
        page.close().close().open("tbody");
        for (DataTable.Row row : data.rows().stream().limit(ROWS_MAX).toList()) {
            page.open("tr");
            row.names().forEach(name -> page.element("td", name));
            row.numbers().forEach(n -> page.element("td", Numbers.show(n), "class", "number"));
            page.close();
        }
        page.close().close().close().close();
    }

    /// The first cell is aligned to the left, the others to the right.
    static void cells(Markup page, String tag, List<String> scenarios) {
        for (int i = 0; i < scenarios.size(); i++) {
            page.element(tag, scenarios.get(i), "class", i == 0 ? "first" : "number");
        }
    }
}
